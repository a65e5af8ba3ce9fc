// The gallery's cards: shown by the kinds whose buttons are pressed and the words that are typed.

for (const picks of document.querySelectorAll(".gallery-picks")) {
  const cards = [...picks.parentElement.querySelectorAll(".gallery-card")];
  const buttons = [...picks.querySelectorAll("button")];
  const search = picks.querySelector("input");
  const show = () => {
    const kinds = buttons.filter((b) => b.ariaPressed === "true").map((b) => b.dataset.kind);
    const words = search.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const card of cards) {
      const own = card.dataset.kinds.split(" ");
      card.hidden = !kinds.every((k) => own.includes(k)) || !words.every((w) => card.dataset.words.includes(w));
      count += card.hidden ? 0 : 1;
    }
    picks.querySelector("output").value = `${count} of ${cards.length}`;
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      button.ariaPressed = button.ariaPressed === "true" ? "false" : "true";
      show();
    });
  }
  search.addEventListener("input", show);
  show();
}

// What the mechanism can do and what is wrong with it, in words, with what one click would mend.

import { useEffect } from "preact/hooks";
import { check, fix, takeThere, wiggle } from "../app/actions";
import { pause } from "../app/clock";
import * as s from "../app/state";
import type { Fix } from "../messages";
import { words } from "../words";
import { Button, Icon, Section } from "./bits";

export function CheckPanel() {
  const found = s.checked.value;
  const isEmpty = Object.keys(s.members("bodies")).length === 0;
  useEffect(() => {
    if (!s.checked.value && !s.tasks.value.length) void check();
  }, [s.doc.value?.revision]);
  if (isEmpty) return <Section title={words.check.title}><p class="hint">{words.check.empty}</p></Section>;
  const problems = found?.problems ?? s.shown.value?.problems ?? [];
  const fixes = [...(found?.fixes ?? s.shown.value?.fixes ?? [])];
  const isTogether = problems.length === 0;
  return (
    <>
      <Section title={words.check.title} aside={<Button label={words.check.run} act={() => void check()} />}>
        {!found ? <p class="hint">{words.check.running}</p> : null}
        {found && isTogether ? <p class="said">{found.words}</p> : null}
        {isTogether ? <p class="good"><Icon name="check" /> {words.check.noProblems}</p> : null}
      </Section>
      {isTogether ? null : (
        <Section title={words.check.problems}>
          {problems.map((problem, k) => (
            <div class="problem" key={k}>
              <p class="bad">{problem.text} {problem.advice}</p>
              {problem.path.length > 1 || problem.bodies.length ? (
                <Button label={words.check.show} icon="home" act={() => takeThere(problem.path, problem.bodies)} />
              ) : null}
            </div>
          ))}
          <Fixes fixes={fixes} />
        </Section>
      )}
      {found && found.freedom !== null ? (
        <>
          <Section title={words.check.freedomsOf(found.freedoms.length, found.freedom, s.shown.value?.drives.length ?? 0)}>
            {found.freedoms.length === 0 ? <p class="hint">{words.check.rigid}</p> : null}
            <ul class="fixes">
              {found.freedoms.map((text, k) => (
                <li key={k}>
                  <span>{text}</span>
                  {s.frames.value && s.frameLabel.value === text ? (
                    <Button label={words.check.stop} act={pause} />
                  ) : (
                    <Button label={words.check.wiggle} act={() => void wiggle(k + 1, text)} />
                  )}
                </li>
              ))}
            </ul>
          </Section>
          <Section title={words.check.redundant}>
            {found.redundant.length === 0 ? <p class="good"><Icon name="check" /> {words.check.noRedundant}</p> : null}
            <ul class="fixes">
              {found.redundant.map((name) => (
                <li key={name}>
                  <span>{name}</span>
                  {name in s.members("joints") ? <Button label={words.check.show} act={() => takeThere(["joints", name])} /> : null}
                </li>
              ))}
            </ul>
            <Fixes fixes={fixes} />
          </Section>
        </>
      ) : null}
    </>
  );
}

function Fixes({ fixes }: { fixes: Fix[] }) {
  if (!fixes.length) return null;
  return (
    <ul class="fixes proposals">
      {fixes.map((one, k) => (
        <li key={k}><Button label={one.text} kind="main" act={() => void fix(one)} /></li>
      ))}
    </ul>
  );
}

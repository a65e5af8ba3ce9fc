// Where the page starts.

import { render } from "preact";
import { connect } from "./app/actions";
import "./made/theme.css";
import "./style.css";
import { Studio } from "./ui/studio";

const root = document.getElementById("studio");
if (root) render(<Studio />, root);
connect();

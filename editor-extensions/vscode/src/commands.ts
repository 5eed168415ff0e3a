/** The commands of the palette and the menus. */

import { commands, type Disposable, Range, Selection, TextEditorRevealType, Uri, ViewColumn, window, workspace } from "vscode";
import type { RestorationPanel } from "./panel";
import type { LacunaRow, Position } from "./protocol";
import type { Server } from "./server";
import type { LacunaeView, LacunaNode } from "./tree";

const WALKTHROUGH = "pythia-epidoc.pythia-epidoc#start";

type Command = (...args: never[]) => unknown;

export function registerCommands(
  server: Server,
  view: LacunaeView,
  panel: RestorationPanel,
  extensionUri: Uri,
  showLog: () => void,
): Disposable[] {
  const all: Record<string, Command> = {
    "pythia.restoreDocument": (uri?: Uri) => withDocument(uri, (target) => server.run("restoreDocument", { uri: target })),
    "pythia.stripDocument": (uri?: Uri) => withDocument(uri, (target) => server.run("strip", { uri: target })),
    "pythia.restoreFolder": (uri?: Uri) => restoreFolder(server, uri),
    "pythia.showRestoration": (target?: Uri | string | LacunaNode, position?: Position) =>
      isRow(target)
        ? panel.show(target.document.uri, target.row)
        : showRestoration(view, panel, target, position),
    "pythia.goToLacuna": (uri: Uri, position: Position) => goTo(uri, position),
    "pythia.nextLacuna": () => {
      step(view, 1);
    },
    "pythia.previousLacuna": () => {
      step(view, -1);
    },
    "pythia.openSample": () => openSample(Uri.joinPath(extensionUri, "out", "sample.xml")),
    "pythia.getStarted": () => commands.executeCommand("workbench.action.openWalkthrough", WALKTHROUGH),
    "pythia.restartServer": () => server.restart(),
    "pythia.installServer": () => server.install(),
    "pythia.selectInterpreter": () => server.selectInterpreter(),
    "pythia.showLog": showLog,
  };
  return Object.entries(all).map(([name, run]) => commands.registerCommand(name, run));
}

function isRow(target: Uri | string | LacunaNode | undefined): target is LacunaNode {
  return typeof target === "object" && "row" in target;
}

/** Goes to a place: where its document is shown, else where other texts are, but never over the panel. */
export async function goTo(uri: Uri, position: Position): Promise<void> {
  const { line, character } = position;
  const place = new Range(line, character, line, character);
  const texts = window.visibleTextEditors.filter((editor) => editor.viewColumn !== undefined);
  const shown = texts.find((editor) => editor.document.uri.toString() === uri.toString()) ?? texts[0];
  const viewColumn = shown?.viewColumn ?? ViewColumn.One;
  const editor = await window.showTextDocument(uri, { viewColumn, preserveFocus: false, selection: place });
  editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
}

/** The lacuna whose markup holds a position. */
export function lacunaAt(view: LacunaeView, uri: Uri, position: Position): LacunaRow | undefined {
  return view.lacunaeOf(uri).find(({ range }) => {
    const { start, end } = range;
    return !before(position, start) && !before(end, position);
  });
}

function before(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

async function withDocument(uri: Uri | undefined, run: (uri: string) => Promise<void>): Promise<void> {
  const target = uri ?? window.activeTextEditor?.document.uri;
  if (target === undefined) {
    void window.showInformationMessage("Open an EpiDoc document first.");
    return;
  }
  await workspace.openTextDocument(target);
  await run(target.toString());
}

async function restoreFolder(server: Server, uri: Uri | undefined): Promise<void> {
  const folder = uri ?? (await chooseFolder());
  if (folder === undefined) {
    return;
  }
  const name = folder.path.split("/").at(-1) ?? folder.path;
  const answer = await window.showWarningMessage(
    `Write suggestions into every EpiDoc file of “${name}”?`,
    { modal: true, detail: "Files are changed on disk. “Remove Machine Suggestions” takes the suggestions out again." },
    "Restore",
  );
  if (answer === "Restore") {
    await server.run("restoreFolder", { uri: folder.toString() });
  }
}

async function chooseFolder(): Promise<Uri | undefined> {
  const chosen = await window.showOpenDialog({ canSelectFolders: true, canSelectFiles: false, openLabel: "Restore" });
  return chosen?.[0];
}

async function showRestoration(
  view: LacunaeView,
  panel: RestorationPanel,
  uri: Uri | string | undefined,
  position: Position | undefined,
): Promise<void> {
  const editor = window.activeTextEditor;
  const target = typeof uri === "string" ? Uri.parse(uri) : (uri ?? editor?.document.uri);
  const place = position ?? editor?.selection.active;
  if (target === undefined || place === undefined) {
    return;
  }
  await view.refresh(target);
  const lacuna = lacunaAt(view, target, place);
  if (lacuna === undefined) {
    void window.showInformationMessage("Put the cursor in a lacuna (a gap or a supplied) first.");
  } else {
    await panel.show(target, lacuna);
  }
}

/** Opens the sample as a new, unsaved document, so that trying things out changes no file. */
async function openSample(sample: Uri): Promise<void> {
  const content = new TextDecoder().decode(await workspace.fs.readFile(sample));
  await window.showTextDocument(await workspace.openTextDocument({ language: "xml", content }));
}

function step(view: LacunaeView, direction: 1 | -1): void {
  const editor = window.activeTextEditor;
  if (editor === undefined) {
    return;
  }
  const here = editor.selection.active;
  const starts = view.lacunaeOf(editor.document.uri).map((row) => row.range.start);
  const next =
    direction === 1 ? starts.find((start) => before(here, start)) : starts.findLast((start) => before(start, here));
  if (next !== undefined) {
    const place = new Range(next.line, next.character, next.line, next.character);
    editor.selection = new Selection(place.start, place.start);
    editor.revealRange(place, TextEditorRevealType.InCenterIfOutsideViewport);
  }
}

/** The Lacunae view: the lacunae of every open TEI document, with their state. */

import {
  type Command,
  type Disposable,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  type TreeView,
  Uri,
  window,
  workspace,
} from "vscode";
import type { LacunaRow, LacunaState } from "./protocol";

export type AskLacunae = (uri: Uri) => Promise<LacunaRow[] | null>;

interface DocumentNode {
  kind: "document";
  uri: Uri;
  lacunae: LacunaRow[];
}

/** A row, as the commands of its menu get it. */
export interface LacunaNode {
  kind: "lacuna";
  document: DocumentNode;
  row: LacunaRow;
}

type Node = DocumentNode | LacunaNode;

const ICONS: Record<LacunaState, ThemeIcon> = {
  open: new ThemeIcon("circle-outline"),
  pending: new ThemeIcon("lightbulb", new ThemeColor("charts.yellow")),
  restored: new ThemeIcon("pass-filled", new ThemeColor("charts.green")),
  conjecture: new ThemeIcon("edit", new ThemeColor("charts.blue")),
  unrestorable: new ThemeIcon("circle-slash", new ThemeColor("disabledForeground")),
};

const MEANINGS: Record<LacunaState, string> = {
  open: "open: nothing is suggested yet",
  pending: "pending: machine suggestions wait for your decision",
  restored: "restored: you accepted a machine suggestion",
  conjecture: "an editor’s restoration",
  unrestorable: "too long or not measured in letters: not restored",
};

export class LacunaeView implements TreeDataProvider<Node>, Disposable {
  private readonly changed = new EventEmitter<Node | undefined>();
  private readonly documents = new Map<string, DocumentNode>();
  private readonly view: TreeView<Node>;
  private readonly watchers: Disposable[];
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly ask: AskLacunae) {
    this.view = window.createTreeView("pythia.lacunae", { treeDataProvider: this, showCollapseAll: true });
    this.watchers = [
      workspace.onDidCloseTextDocument((document) => {
        this.documents.delete(document.uri.toString());
        this.redraw();
      }),
    ];
  }

  /** Asks the server again about one document. */
  async refresh(uri: Uri): Promise<void> {
    const answer = await this.ask(uri);
    const key = uri.toString();
    // It may have been closed while the server was looking at it.
    const lacunae = workspace.textDocuments.some((document) => document.uri.toString() === key) ? answer : null;
    if (JSON.stringify(lacunae) === JSON.stringify(this.documents.get(key)?.lacunae ?? null)) {
      return; // A redraw would take rows away under the pointer.
    }
    if (lacunae === null) {
      this.documents.delete(key);
    } else {
      this.documents.set(key, { kind: "document", uri, lacunae });
    }
    this.redraw();
  }

  /** Forgets everything, as when the server goes away. */
  clear(): void {
    this.documents.clear();
    this.redraw();
  }

  /** The lacunae of a document as they were last reported. */
  lacunaeOf(uri: Uri): readonly LacunaRow[] {
    return this.documents.get(uri.toString())?.lacunae ?? [];
  }

  private redraw(): void {
    const open = [...this.documents.values()].flatMap((node) => node.lacunae).filter((row) => row.state === "open");
    this.view.badge = open.length === 0 ? undefined : { value: open.length, tooltip: `${open.length} open lacunae` };
    this.changed.fire(undefined);
  }

  getChildren(node?: Node): Node[] {
    if (node === undefined) {
      return [...this.documents.values()].sort((a, b) => a.uri.path.localeCompare(b.uri.path));
    }
    return node.kind === "lacuna" ? [] : node.lacunae.map((row) => ({ kind: "lacuna", document: node, row }));
  }

  getParent(node: Node): Node | null {
    return node.kind === "lacuna" ? node.document : null;
  }

  getTreeItem(node: Node): TreeItem {
    return node.kind === "document" ? documentItem(node) : lacunaItem(node);
  }

  dispose(): void {
    for (const watcher of this.watchers) {
      watcher.dispose();
    }
    this.view.dispose();
    this.changed.dispose();
  }
}

function documentItem(node: DocumentNode): TreeItem {
  const item = new TreeItem(node.uri, TreeItemCollapsibleState.Expanded);
  const open = node.lacunae.filter((row) => row.state === "open").length;
  const pending = node.lacunae.filter((row) => row.state === "pending").length;
  item.description = `${open} open${pending === 0 ? "" : `, ${pending} pending`}`;
  item.iconPath = ThemeIcon.File;
  item.contextValue = "document";
  return item;
}

function lacunaItem(node: LacunaNode): TreeItem {
  const { row } = node;
  const label = `${row.before}${row.text}${row.after}`;
  const marked: [number, number] = [row.before.length, row.before.length + row.text.length];
  const item = new TreeItem({ label, highlights: [marked] }, TreeItemCollapsibleState.None);
  item.description = row.line === null ? row.extent : `line ${row.line} · ${row.extent}`;
  item.tooltip = `${row.extent}; ${MEANINGS[row.state]}`;
  item.iconPath = ICONS[row.state];
  item.contextValue = `lacuna-${row.state}`;
  item.command = goTo(node.document.uri, row);
  return item;
}

function goTo(uri: Uri, row: LacunaRow): Command {
  return { command: "pythia.goToLacuna", title: "Go to lacuna", arguments: [uri, row.range.start] };
}

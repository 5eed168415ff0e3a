/** The Restoration panel: hypotheses, the evidence they rest on, and parallels, beside the text. */

import { randomBytes } from "node:crypto";
import {
  CancellationTokenSource,
  type Disposable,
  type ExtensionContext,
  Uri,
  ViewColumn,
  type Webview,
  type WebviewPanel,
  window,
} from "vscode";
import { LSPErrorCodes, ResponseError } from "vscode-languageclient/node";
import type { Evidence, FromPanel, LacunaRow, ParallelRow, Position, RestorationAnswer, ToPanel } from "./protocol";
import type { Server } from "./server";

/** What tells one lacuna from another that has got its number, and one text around it from another. */
const SHOWN = ["state", "extent", "before", "text", "after"] as const;

interface Place {
  uri: Uri;
  lacuna: LacunaRow;
}

export interface PanelActions {
  accept(uri: Uri, position: Position, rank: number, text: string): Promise<void>;
  insert(uri: Uri, position: Position, count: number): Promise<void>;
  reveal(uri: Uri, position: Position): Promise<void>;
}

export class RestorationPanel implements Disposable {
  private panel: WebviewPanel | null = null;
  private place: Place | null = null;
  private asked = new CancellationTokenSource();
  /** Whether what is shown is an answer; typing takes back a question that is still open. */
  private answered = false;
  private pageReady: Promise<void> = Promise.resolve();

  constructor(
    private readonly context: ExtensionContext,
    private readonly server: Server,
    private readonly actions: PanelActions,
  ) {}

  /** Shows the restoration of a lacuna, opening the panel if need be. */
  async show(uri: Uri, lacuna: LacunaRow): Promise<void> {
    this.place = { uri, lacuna };
    this.open();
    await this.load();
  }

  /** Follows the cursor to another lacuna, but only while the panel is open. */
  async follow(uri: Uri, lacuna: LacunaRow): Promise<void> {
    if (this.panel?.visible === true && !this.isAt(uri, lacuna)) {
      await this.show(uri, lacuna);
    }
  }

  /** Keeps pointing at the same lacuna when the document changes around it. */
  async documentChanged(uri: Uri, lacunae: readonly LacunaRow[]): Promise<void> {
    if (this.panel === null || this.place?.uri.toString() !== uri.toString()) {
      return;
    }
    const { lacuna } = this.place;
    const same = lacunae.find((row) => row.number === lacuna.number);
    if (same === undefined) {
      this.place = null;
      await this.post({ kind: "nothing", reason: "This lacuna is gone. Choose another one." });
    } else {
      const changed = SHOWN.some((part) => same[part] !== lacuna[part]);
      this.place.lacuna = same;
      if (changed || !this.answered) {
        await this.load();
      }
    }
  }

  dispose(): void {
    this.asked.cancel();
    this.panel?.dispose();
  }

  private isAt(uri: Uri, lacuna: LacunaRow): boolean {
    return this.place?.uri.toString() === uri.toString() && this.place.lacuna.number === lacuna.number;
  }

  private open(): void {
    if (this.panel !== null) {
      return;
    }
    const media = Uri.joinPath(this.context.extensionUri, "media");
    const out = Uri.joinPath(this.context.extensionUri, "out");
    const panel = window.createWebviewPanel(
      "pythia.restoration",
      "Restoration",
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [media, out] },
    );
    panel.iconPath = Uri.joinPath(media, "icon.svg");
    let wasReady = false;
    this.pageReady = new Promise((resolve) => {
      panel.webview.onDidReceiveMessage((message: FromPanel) => {
        if (message.kind !== "ready") {
          this.receive(message).catch(showError);
        } else if (wasReady) {
          void this.load(); // VS Code throws a hidden page away and starts it anew.
        } else {
          wasReady = true;
          resolve();
        }
      });
    });
    panel.webview.html = page(panel.webview, media, out);
    panel.onDidDispose(() => {
      this.asked.cancel();
      this.panel = null;
      this.place = null;
    });
    this.panel = panel;
  }

  private async load(): Promise<void> {
    const place = this.place;
    if (place === null) {
      return;
    }
    const token = this.newQuestion();
    this.answered = false;
    await this.post({ kind: "waiting", extent: place.lacuna.extent });
    try {
      const restoration = await this.server.restoration(place.uri, place.lacuna.range.start, token);
      if (!token.isCancellationRequested) {
        this.answered = true;
        await this.post(answer(restoration));
      }
    } catch (error) {
      if (!token.isCancellationRequested && !isTakenBack(error)) {
        this.answered = true;
        await this.post({ kind: "nothing", reason: error instanceof Error ? error.message : String(error) });
      }
    }
  }

  private async receive(message: Exclude<FromPanel, { kind: "ready" }>): Promise<void> {
    if (this.place === null) {
      return;
    }
    const { uri, lacuna } = this.place;
    const position = lacuna.range.start;
    switch (message.kind) {
      case "accept":
        return this.actions.accept(uri, position, message.rank, message.text);
      case "insert":
        return this.actions.insert(uri, position, message.count);
      case "reveal":
        return this.actions.reveal(uri, position);
      case "select":
        return this.showEvidence(uri, position, message.rank);
      case "open":
        return this.actions.reveal(Uri.parse(message.uri), { line: message.line ?? 0, character: 0 });
    }
  }

  private async showEvidence(uri: Uri, position: Position, rank: number): Promise<void> {
    const token = this.newQuestion();
    try {
      const found: { evidence: Evidence; parallels: ParallelRow[] | null } | null =
        await this.server.evidence(uri, position, rank, token);
      if (found !== null && !token.isCancellationRequested) {
        await this.post({ kind: "evidence", rank, ...found });
      }
    } catch (error) {
      if (!token.isCancellationRequested && !isTakenBack(error)) {
        throw error;
      }
    }
  }

  /** A question replaces the one before it. */
  private newQuestion(): CancellationTokenSource["token"] {
    this.asked.cancel();
    this.asked = new CancellationTokenSource();
    return this.asked.token;
  }

  private async post(message: ToPanel): Promise<void> {
    await this.pageReady;
    await this.panel?.webview.postMessage(message);
  }
}

/** Whether the server took a question back because the text was changed. */
function isTakenBack(error: unknown): boolean {
  return error instanceof ResponseError && error.code === LSPErrorCodes.RequestCancelled;
}

function showError(error: unknown): void {
  void window.showErrorMessage(error instanceof Error ? error.message : String(error));
}

function answer(restoration: RestorationAnswer | null): ToPanel {
  return restoration === null
    ? { kind: "nothing", reason: "There is nothing to restore here. Choose a lacuna." }
    : { kind: "restoration", restoration };
}

function page(webview: Webview, media: Uri, out: Uri): string {
  const nonce = randomBytes(16).toString("base64");
  const style = webview.asWebviewUri(Uri.joinPath(media, "panel.css")).toString();
  const script = webview.asWebviewUri(Uri.joinPath(out, "panel.js")).toString();
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Restoration</title>
</head>
<body>
<main id="panel" aria-live="polite"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

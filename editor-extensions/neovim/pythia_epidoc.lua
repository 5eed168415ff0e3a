-- Pythia EpiDoc for Neovim 0.7 and newer: starts the language server for XML files.
--
--   require("pythia_epidoc").setup({ cmd = { "pythia-epidoc", "lsp" }, settings = { top = 10 } })
--
-- The server answers only in TEI documents, so it is harmless to start it for any XML.

local M = {}

local defaults = {
  cmd = { "pythia-epidoc", "lsp" },
  settings = {},
  keymaps = true,
}

local function start(options, buffer)
  local file = vim.api.nvim_buf_get_name(buffer)
  local config = {
    name = "pythia-epidoc",
    cmd = options.cmd,
    root_dir = vim.fn.fnamemodify(file, ":p:h"),
    settings = { pythia = options.settings },
    on_attach = function(_, attached)
      if options.keymaps then
        M.map_keys(attached)
      end
    end,
  }
  if vim.lsp.start then
    -- One server, and one model in memory, for the files of all folders.
    local function is_ours(client)
      return client.name == config.name
    end
    vim.lsp.start(config, { bufnr = buffer, reuse_client = is_ours })
  else
    -- Neovim 0.7 has no vim.lsp.start: keep one client and attach every buffer to it.
    M.client = M.client or vim.lsp.start_client(config)
    vim.lsp.buf_attach_client(buffer, M.client)
  end
end

--- Keys for one buffer: completion, hypotheses, actions, and going from lacuna to lacuna.
function M.map_keys(buffer)
  vim.api.nvim_buf_set_option(buffer, "omnifunc", "v:lua.vim.lsp.omnifunc")
  local function map(keys, action, description)
    vim.keymap.set("n", keys, action, { buffer = buffer, desc = description })
  end
  map("K", vim.lsp.buf.hover, "Hypotheses for this lacuna")
  map("<localleader>a", vim.lsp.buf.code_action, "Accept or insert restorations")
  map("<localleader>l", vim.lsp.buf.document_symbol, "List the lacunae")
  map("]l", function() M.jump(1) end, "Next lacuna")
  map("[l", function() M.jump(-1) end, "Previous lacuna")
end

--- Moves the cursor to the next (1) or previous (-1) gap or supplied.
function M.jump(direction)
  vim.fn.search([[<\(\w\+:\)\?\(gap\|supplied\)\>]], direction > 0 and "W" or "bW")
end

function M.setup(options)
  options = vim.tbl_extend("force", defaults, options or {})
  local group = vim.api.nvim_create_augroup("pythia_epidoc", { clear = true })
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "xml",
    callback = function(event)
      start(options, event.buf)
    end,
  })
  local function command(name, server_command, description)
    vim.api.nvim_create_user_command(name, function()
      local argument = { uri = vim.uri_from_bufnr(0) }
      vim.lsp.buf.execute_command({ command = server_command, arguments = { argument } })
    end, { desc = description })
  end
  command("PythiaRestore", "pythia.server.restoreDocument", "Restore every lacuna of this document")
  command("PythiaStrip", "pythia.server.strip", "Remove machine suggestions")
end

return M

-- Played by test_neovim.py in a headless Neovim: opens a file, uses the features, writes what it saw as JSON.
local report = {}
local output = vim.env.PYTHIA_REPORT
package.path = vim.env.PYTHIA_NEOVIM .. "/?.lua;" .. package.path
vim.cmd("filetype on")
require("pythia_epidoc").setup({ cmd = vim.fn.json_decode(vim.env.PYTHIA_SERVER) })
vim.cmd("edit " .. vim.env.PYTHIA_FILE)

local function wait(what, condition)
  if not vim.wait(120000, condition, 50) then
    error(what .. " did not happen")
  end
end

local function request(method, params)
  local answers
  wait(method, function()
    answers = vim.lsp.buf_request_sync(0, method, params, 60000)
    return answers ~= nil
  end)
  for _, answer in pairs(answers) do
    return answer.result
  end
end

local ok, problem = pcall(function()
  wait("attaching", function()
    return #vim.lsp.buf_get_clients(0) > 0 or next(vim.lsp.buf_get_clients(0)) ~= nil
  end)
  vim.fn.search("τῶι <gap", "e")
  local hover = request("textDocument/hover", vim.lsp.util.make_position_params())
  report.hover = hover and hover.contents.value
  local found = request("textDocument/completion", vim.lsp.util.make_position_params())
  report.completions = {}
  for _, item in ipairs(found.items) do
    table.insert(report.completions, item.label)
  end
  local start = vim.fn.line(".")
  require("pythia_epidoc").jump(1)
  report.jumped = vim.fn.line(".") > start
  local before = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n")
  vim.cmd("PythiaRestore")
  wait("restoring", function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n"):find("<rdg", 1, true) ~= nil
  end)
  vim.cmd("PythiaStrip")
  wait("stripping", function()
    return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, true), "\n") == before
  end)
  vim.cmd("write")
  -- Neovim 0.8 and newer ask which server to use for a file of another folder.
  vim.lsp.start = function(config, options)
    report.shared = options.reuse_client({ name = config.name, config = { root_dir = "/elsewhere" } }, config)
  end
  vim.cmd("doautocmd FileType xml")
end)
report.problem = not ok and tostring(problem) or nil
vim.fn.writefile({ vim.fn.json_encode(report) }, output)
vim.cmd("qall!")

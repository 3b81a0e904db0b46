using System.Diagnostics;
using CamCube.Tool.Commands.Camdoop.Streaming;

namespace CamCube.Tool.Tests.Commands.Camdoop.Streaming;

public sealed class CommandWordsTests
{
    [Theory]
    [InlineData("a", "a")]
    [InlineData("  a \t b\n", "a|b")]
    [InlineData("/bin/sh -ex w.sh python3 'a b.py' --mapper", "/bin/sh|-ex|w.sh|python3|a b.py|--mapper")]
    [InlineData("awk '{print $1 \"\\t\" $2}'", "awk|{print $1 \"\\t\" $2}")]
    [InlineData("a'b c'd", "ab cd")]
    [InlineData("'' \"\" x", "||x")]
    [InlineData("a\\ b \\' \\\\", "a b|'|\\")]
    [InlineData("\"a \\\"b\\\" \\$c \\d\"", "a \"b\" $c \\d")]
    [InlineData("x > y | z; $HOME *", "x|>|y|||z;|$HOME|*")]
    [InlineData("", "")]
    public void Words_are_cut_as_a_shell_does_and_nothing_is_expanded(string line, string expected)
    {
        Assert.Null(CommandWords.TryCut(line, out IReadOnlyList<string> words));
        Assert.Equal(expected, string.Join('|', words));
    }

    [Theory]
    [InlineData("a 'b", "(')")]
    [InlineData("a \"b\\\"", "(\")")]
    [InlineData("a \\", "backslash at the end")]
    public void What_is_not_closed_is_said(string line, string says)
    {
        Assert.Contains(says, CommandWords.TryCut(line, out IReadOnlyList<string> words), StringComparison.Ordinal);
        Assert.Empty(words);
    }

    // What a shell would expand is left out of the draw: there is no shell here.
    [Fact]
    public void Drawn_lines_are_cut_as_sh_cuts_them()
    {
        Assert.SkipUnless(File.Exists("/bin/sh"), "There is no /bin/sh.");
        var random = new Random(22);
        var lines = new List<string>();
        while (lines.Count < 400)
        {
            string line = string.Concat(
                Enumerable.Range(0, random.Next(1, 14)).Select(_ => "ab \t'\"\\,.%"[random.Next(10)])
            );
            if (CommandWords.TryCut(line, out _) is null)
            {
                lines.Add(line);
            }
        }

        string script = string.Concat(lines.Select(static line => $"printf '<%s>' {line}; printf '\\n'\n"));
        var start = new ProcessStartInfo("/bin/sh") { RedirectStandardInput = true, RedirectStandardOutput = true };
        using Process shell = Process.Start(start)!;
        shell.StandardInput.Write(script);
        shell.StandardInput.Close();
        string[] cut = shell.StandardOutput.ReadToEnd().TrimEnd('\n').Split('\n');
        shell.WaitForExit();
        Assert.Equal(lines.Count, cut.Length);
        for (int i = 0; i < lines.Count; i++)
        {
            CommandWords.TryCut(lines[i], out IReadOnlyList<string> words);
            // printf without words prints its format once.
            string ours = words.Count == 0 ? "<>" : string.Concat(words.Select(static word => $"<{word}>"));
            Assert.Equal($"{lines[i]}: {cut[i]}", $"{lines[i]}: {ours}");
        }
    }
}

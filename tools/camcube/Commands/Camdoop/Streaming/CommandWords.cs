using System.Text;

namespace CamCube.Tool.Commands.Camdoop.Streaming;

/// <summary>
/// Cuts a command line into words as a POSIX shell does, but without a shell: blanks end a word, single quotes keep
/// all, double quotes keep all but a backslash before <c>"</c>, <c>\</c>, <c>$</c> or <c>`</c>, a backslash keeps the
/// next character. Nothing is expanded, and <c>|</c>, <c>&gt;</c> and <c>;</c> are characters like others.
/// </summary>
internal static class CommandWords
{
    /// <summary>Cuts a line.</summary>
    /// <param name="line">The line.</param>
    /// <param name="words">Its words; empty if something is wrong.</param>
    /// <returns>What is wrong, in words for people; null: nothing.</returns>
    public static string? TryCut(string line, out IReadOnlyList<string> words)
    {
        words = [];
        List<string> all = [];
        var word = new StringBuilder();
        bool isIn = false;
        for (int i = 0; i < line.Length; i++)
        {
            char c = line[i];
            switch (c)
            {
                case ' ' or '\t' or '\n' or '\r':
                    End(all, word, ref isIn);
                    continue;
                case '\\' when i + 1 == line.Length:
                    return "there is nothing behind the backslash at the end.";
                case '\\':
                    (isIn, i) = (true, i + 1);
                    // A line that goes on in the next one.
                    Add(word, line[i], isKept: line[i] != '\n');
                    continue;
                case '\'' or '"':
                    isIn = true;
                    i = Quoted(line, i, word);
                    if (i < 0)
                    {
                        return $"a quotation mark ({c}) is not closed.";
                    }

                    continue;
                default:
                    isIn = true;
                    word.Append(c);
                    continue;
            }
        }

        End(all, word, ref isIn);
        words = all;
        return null;
    }

    // Answers where the closing mark is, or -1.
    private static int Quoted(string line, int open, StringBuilder word)
    {
        char mark = line[open];
        for (int i = open + 1; i < line.Length; i++)
        {
            if (line[i] == mark)
            {
                return i;
            }

            bool isEscape =
                mark == '"'
                && line[i] == '\\'
                && i + 1 < line.Length
                && line[i + 1] is '"' or '\\' or '$' or '`' or '\n';
            i += isEscape ? 1 : 0;
            Add(word, line[i], isKept: !isEscape || line[i] != '\n');
        }

        return -1;
    }

    private static void Add(StringBuilder word, char c, bool isKept)
    {
        if (isKept)
        {
            word.Append(c);
        }
    }

    private static void End(List<string> all, StringBuilder word, ref bool isIn)
    {
        if (isIn)
        {
            all.Add(word.ToString());
            word.Clear();
            isIn = false;
        }
    }
}

namespace CamCube.Tool.Syntax;

/// <summary>
/// Commands whose arguments are another program's, with one dash before long names (<c>-ls</c>, <c>-input</c>) or with
/// settings of a host (<c>--shape</c>). What is behind them is taken as it is: <c>--</c> is put before it, unless it is
/// <c>--help</c> alone.
/// </summary>
internal static class RestOfLine
{
    private static readonly string[] WithValue = ["--host", "--at", "--front-end"];
    private static readonly string[] Alone = ["--json"];
    private static readonly string[] Helps = ["--help", "-h", "-?"];
    private static readonly string[] OfHadoop = ["fs", "dfs", "jar", "version"];

    /// <summary>The arguments with the mark, if they are of such a command.</summary>
    public static IReadOnlyList<string> Mark(IReadOnlyList<string> arguments)
    {
        int at = BehindOptions(arguments, 0);
        switch (at < arguments.Count ? arguments[at] : "")
        {
            case "hadoop":
                at = BehindOptions(arguments, at + 1);
                if (at == arguments.Count || !OfHadoop.Contains(arguments[at]))
                {
                    return arguments;
                }

                at = BehindOptions(arguments, at + 1);
                break;
            case "camdoop":
                // Another word is a command of its own, as in camdoop status.
                at = BehindOptions(arguments, at + 1);
                if (at == arguments.Count || !arguments[at].StartsWith('-'))
                {
                    return arguments;
                }

                break;
            case "run":
                at++;
                if (at < arguments.Count && arguments[at] == "--")
                {
                    return arguments;
                }

                break;
            default:
                return arguments;
        }

        bool isHelp = at == arguments.Count - 1 && Helps.Contains(arguments[at]);
        return at == arguments.Count || isHelp ? arguments : [.. arguments.Take(at), "--", .. arguments.Skip(at)];
    }

    private static int BehindOptions(IReadOnlyList<string> arguments, int at)
    {
        while (at < arguments.Count)
        {
            string one = arguments[at];
            if (Alone.Contains(one) || WithValue.Any(name => one.StartsWith($"{name}=", StringComparison.Ordinal)))
            {
                at++;
            }
            else if (WithValue.Contains(one) && at + 1 < arguments.Count)
            {
                at += 2;
            }
            else
            {
                break;
            }
        }

        return at;
    }
}

using System.CommandLine;
using System.CommandLine.Parsing;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;

namespace CamCube.Tool.Syntax;

/// <summary>
/// Arguments and options that several commands take, and how their texts are read. A wrong text gives one line that
/// says what is right.
/// </summary>
internal static class Values
{
    /// <summary>Reads one text, or says what is wrong with it.</summary>
    public delegate bool Reader<T>(string text, out T value);

    /// <summary>A server.</summary>
    public static Argument<ServerName> Server(string name, string description) =>
        new(name)
        {
            Description = $"{description}: a rank (13) or a coordinate (1,1,1).",
            CustomParser = Of<ServerName>(
                ServerName.TryParse,
                "is not a server; name it by rank, as in 13, or by coordinate, as in 1,1,1"
            ),
        };

    /// <summary>A direction.</summary>
    public static Argument<Link> Direction() =>
        new("DIRECTION")
        {
            HelpName = "DIRECTION",
            Description = "The cable at that server: +x, -x, +y, -y, +z, -z, or px, mx, py, my, pz, mz.",
            CustomParser = Of<Link>(
                ReadLink,
                "is not a direction; there are +x, -x, +y, -y, +z, -z, or px, mx, py, my, pz, mz"
            ),
        };

    /// <summary>--shape.</summary>
    /// <param name="description">What it is for.</param>
    /// <param name="check">What is wrong with a shape for this command, or null.</param>
    /// <param name="standard">The default, or null if there is none.</param>
    public static Option<TorusShape?> Shape(
        string description,
        Func<TorusShape, string?>? check = null,
        TorusShape? standard = null
    )
    {
        var option = new Option<TorusShape?>("--shape")
        {
            Description = description,
            HelpName = "XxYxZ",
            CustomParser = result =>
            {
                string text = result.Tokens[0].Value;
                if ((TorusShape.TryParse(text, out TorusShape shape) ?? check?.Invoke(shape)) is { } fault)
                {
                    result.AddError($"--shape {text}: {fault}.");
                }

                return shape;
            },
        };
        if (standard is not null)
        {
            option.DefaultValueFactory = _ => standard;
        }

        return option;
    }

    /// <summary>--parallel-cables, "true" or "false". As text, because the parser takes a word behind a truth value for
    /// something else.</summary>
    public static Option<string> ParallelCables() =>
        new("--parallel-cables")
        {
            Description = "Whether an axis of size 2 has two cables between its servers, or one.",
            HelpName = "true|false",
            DefaultValueFactory = _ => "true",
            CustomParser = Of<string>(
                (string text, out string value) => (value = text) is "true" or "false",
                "must be true or false"
            ),
        };

    /// <summary>A time such as 20ms, in a range.</summary>
    public static Option<Duration> Time(
        string name,
        string description,
        TimeSpan standard,
        TimeSpan least,
        TimeSpan most
    )
    {
        string range = $"{new Duration(least)} to {new Duration(most)}";
        return new Option<Duration>(name)
        {
            Description = $"{description} ({range})",
            HelpName = "TIME",
            DefaultValueFactory = _ => new Duration(standard),
            CustomParser = Of<Duration>(
                (string text, out Duration time) =>
                    Duration.TryParse(text, out time) && time.Value >= least && time.Value <= most,
                $"must be a time with its unit, as in 500us, 20ms or 1.5s, from {range}"
            ),
        };
    }

    /// <summary>A whole number in a range.</summary>
    public static Option<int> Whole(string name, string description, int standard, int least, int most) =>
        new(name)
        {
            Description = $"{description} ({Digits(least)} to {Digits(most)})",
            HelpName = "N",
            DefaultValueFactory = _ => standard,
            CustomParser = Of<int>(
                (string text, out int value) =>
                    int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value)
                    && value >= least
                    && value <= most,
                $"must be a whole number from {Digits(least)} to {Digits(most)}"
            ),
        };

    /// <summary>One of some words.</summary>
    /// <param name="name">As in --target.</param>
    /// <param name="description">What it is for.</param>
    /// <param name="words">The words; the first is the default.</param>
    public static Option<string> Words(string name, string description, string[] words) =>
        new(name)
        {
            Description = $"{description}: {string.Join(", ", words)}",
            HelpName = "WORD",
            DefaultValueFactory = _ => words[0],
            CustomParser = Of<string>(
                (string text, out string value) => words.Contains(value = text),
                $"must be {string.Join(", ", words[..^1])} or {words[^1]}"
            ),
        };

    /// <summary>The seed of a run.</summary>
    public static Option<ulong> Seed() =>
        new("--seed")
        {
            Description = "Seed of everything random: equal seeds, equal runs.",
            HelpName = "N",
            DefaultValueFactory = _ => 1,
            CustomParser = Of<ulong>(
                (string text, out ulong value) =>
                    ulong.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value),
                "must be a whole number"
            ),
        };

    /// <summary>An option that has no value if it is not given.</summary>
    /// <param name="name">As in --rate.</param>
    /// <param name="helpName">What stands for its text in the help.</param>
    /// <param name="description">What it is for.</param>
    /// <param name="reader">Reads the text.</param>
    /// <param name="otherwise">What is said of a text that it refuses, behind the text: what would be right.</param>
    public static Option<T?> Optional<T>(
        string name,
        string helpName,
        string description,
        Reader<T> reader,
        string otherwise
    )
        where T : struct =>
        new(name)
        {
            Description = description,
            HelpName = helpName,
            CustomParser = result => TryRead(result, reader, otherwise, out T value) ? value : null,
        };

    /// <summary>What reads the text of an argument or option (its CustomParser).</summary>
    /// <param name="reader">Reads the text.</param>
    /// <param name="otherwise">What is said of a text that it refuses, behind the text: what would be right.</param>
    public static Func<ArgumentResult, T?> Of<T>(Reader<T> reader, string otherwise) =>
        result => TryRead(result, reader, otherwise, out T? value) ? value : default;

    private static bool TryRead<T>(
        ArgumentResult result,
        Reader<T> reader,
        string otherwise,
        [MaybeNullWhen(false)] out T value
    )
    {
        string text = result.Tokens.Count == 0 ? "" : result.Tokens[0].Value;
        if (reader(text, out value))
        {
            return true;
        }

        result.AddError(Named(result, $"'{text}' {otherwise}."));
        return false;
    }

    /// <summary>An error with the option in front, if it is one.</summary>
    public static string Named(ArgumentResult result, string error) =>
        result.Parent is OptionResult option ? $"{option.Option.Name} {error}" : error;

    private static bool ReadLink(string text, out Link link) => Links.TryParse(text, out link);

    private static string Digits(int number) => number.ToString("N0", CultureInfo.InvariantCulture);
}

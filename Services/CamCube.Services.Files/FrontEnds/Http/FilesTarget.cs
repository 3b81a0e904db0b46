using System.Globalization;
using CamCube.FrontEnds.Http;

namespace CamCube.Services.Files.FrontEnds.Http;

/// <summary>What a request line asks for. Immutable.</summary>
/// <remarks>It is read from the line as it was sent: what ASP.NET makes of a path is text, in which other bytes than
/// UTF-8 and an encoded slash are lost.</remarks>
internal sealed record FilesTarget
{
    private const string Collection = "files";

    /// <summary>The path in the store.</summary>
    public string Path { get; private init; } = FilePath.Root;

    /// <summary>Whether it is in a directory of the root that begins with a dot: services keep there what they do, such
    /// as which programs a job runs.</summary>
    public bool IsOfServices => Path.StartsWith("/.", StringComparison.Ordinal);

    /// <summary>Whether a slash is behind it: a directory is meant.</summary>
    public bool IsDirectory { get; private init; }

    /// <summary>Whether its facts are wanted, and not its bytes.</summary>
    public bool WantsFacts { get; private init; }

    /// <summary>With all that is in it.</summary>
    public bool IsRecursive { get; private init; }

    /// <summary>Where a list goes on.</summary>
    public string? Cursor { get; private init; }

    /// <summary>Most entries of a list.</summary>
    public int Limit { get; private init; } = FilePage.MostEntries;

    /// <summary>Reads the target of a request line.</summary>
    /// <param name="raw">The target as it was sent.</param>
    /// <param name="target">What it asks for.</param>
    /// <param name="wrong">What is wrong with it; null and false: it is none of this front end's.</param>
    public static bool TryRead(string raw, out FilesTarget target, out string? wrong)
    {
        (target, wrong) = (new FilesTarget(), null);
        string line = RequestLine.PathAndQuery(raw);
        int mark = line.IndexOf('?', StringComparison.Ordinal);
        string[] segments = (mark < 0 ? line : line[..mark]).Split('/');
        if (segments is not ["", Collection, ..])
        {
            return false;
        }

        bool isDirectory = segments.Length == 2 || segments[^1].Length == 0;
        string[] names = segments[2..(isDirectory && segments.Length > 2 ? ^1 : ^0)];
        string?[] texts = [.. names.Select(RequestLine.Decode)];
        wrong = texts.Contains(null)
            ? "a name is UTF-8, and two hexadecimal digits follow each percent sign in it."
            : texts.Select(static name => FilePath.WrongOfName(name!)).FirstOrDefault(static one => one is not null);
        string path = FilePath.Root + string.Join('/', texts);
        wrong ??= FilePath.WrongOf(path);
        target = new FilesTarget { Path = path, IsDirectory = isDirectory };
        wrong ??= mark < 0 ? null : ReadQuery(line[(mark + 1)..], ref target);
        return wrong is null;
    }

    private static string? ReadQuery(string query, ref FilesTarget target)
    {
        foreach (string one in query.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            string[] parts = one.Split('=', 2);
            FilesTarget? next = parts switch
            {
                ["facts"] => target with { WantsFacts = true },
                ["recursive"] => target with { IsRecursive = true },
                ["cursor", { Length: > 0 } cursor] => target with { Cursor = cursor },
                ["limit", var text]
                    when int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int limit)
                        && limit is >= 1 and <= FilePage.MostEntries => target with
                {
                    Limit = limit,
                },
                _ => null,
            };
            if (next is null)
            {
                return "there are facts, recursive, cursor=CURSOR and "
                    + $"limit=1..{FilePage.MostEntries} in an address.";
            }

            target = next;
        }

        return null;
    }
}

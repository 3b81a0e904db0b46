using System.Globalization;
using CamCube.FrontEnds.Http;

namespace CamCube.Services.Images.FrontEnds.Http;

/// <summary>What a request line asks for. Immutable.</summary>
/// <remarks>It is read from the line as it was sent: what ASP.NET makes of a path is text, in which other bytes than
/// UTF-8 and an encoded slash are lost.</remarks>
internal sealed record ImagesTarget
{
    private const string Collection = "images";

    /// <summary>The page.</summary>
    public bool IsPage { get; private init; }

    /// <summary>The picture of the page that browsers ask for unasked: there is none.</summary>
    public bool IsIcon { get; private init; }

    /// <summary>The image; null: all of them.</summary>
    public string? Name { get; private init; }

    /// <summary>The variant, or <c>info</c>; null: the original.</summary>
    public string? Variant { get; private init; }

    /// <summary>The end of a signed address in seconds since 1970; null: none is said.</summary>
    public long? End { get; private init; }

    /// <summary>The signature; null: there is none.</summary>
    public string? Signature { get; private init; }

    /// <summary>What a signature is of.</summary>
    public string Path => string.Join('/', new[] { Collection, Name, Variant }.OfType<string>());

    /// <summary>Reads the target of a request line.</summary>
    /// <param name="raw">The target as it was sent.</param>
    /// <param name="target">What it asks for.</param>
    /// <param name="wrong">What is wrong with it; null and false: it is none of this front end's.</param>
    public static bool TryRead(string raw, out ImagesTarget target, out string? wrong)
    {
        (target, wrong) = (new ImagesTarget(), null);
        string line = RequestLine.PathAndQuery(raw);
        int mark = line.IndexOf('?', StringComparison.Ordinal);
        string[] segments = (mark < 0 ? line : line[..mark]).Split('/');
        if (segments is ["", ""])
        {
            target = new ImagesTarget { IsPage = true };
            return true;
        }

        if (segments is ["", "favicon.ico"])
        {
            target = new ImagesTarget { IsIcon = true };
            return true;
        }

        if (segments is not ["", Collection, ..] || segments.Length > 4)
        {
            return false;
        }

        var texts = new string?[2];
        for (int i = 2; i < segments.Length; i++)
        {
            texts[i - 2] = RequestLine.Decode(segments[i]);
            wrong ??= texts[i - 2] is null
                ? "a name is UTF-8, and two hexadecimal digits follow each percent sign in it."
                : null;
        }

        // "/images/" is "/images".
        string? name = segments.Length == 3 && texts[0]?.Length == 0 ? null : texts[0];
        wrong ??= name is null ? null : ImageName.WrongOf(name);
        target = new ImagesTarget { Name = name, Variant = texts[1] };
        wrong ??= mark < 0 ? null : ReadQuery(line[(mark + 1)..], ref target);
        return wrong is null;
    }

    private static string? ReadQuery(string query, ref ImagesTarget target)
    {
        foreach (string one in query.Split('&', StringSplitOptions.RemoveEmptyEntries))
        {
            if (
                one.StartsWith("end=", StringComparison.Ordinal)
                && long.TryParse(one.AsSpan(4), NumberStyles.None, CultureInfo.InvariantCulture, out long end)
            )
            {
                target = target with { End = end };
            }
            else if (one.StartsWith("signature=", StringComparison.Ordinal))
            {
                target = target with { Signature = one[10..] };
            }
            else
            {
                return "there are end=SECONDS and signature=... in an address; sizes are in the settings (Variants).";
            }
        }

        return null;
    }
}

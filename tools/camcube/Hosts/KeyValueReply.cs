using System.Globalization;
using System.Net.Http.Headers;
using System.Text.Json.Nodes;

namespace CamCube.Tool.Hosts;

/// <summary>What the key-value store's front end answered.</summary>
/// <param name="Status">The status of HTTP.</param>
/// <param name="Headers">Headers of the answer and of the value.</param>
/// <param name="Body">The value, or why not.</param>
/// <param name="Micros">How long it took.</param>
internal sealed record KeyValueReply(
    int Status,
    IReadOnlyDictionary<string, string> Headers,
    byte[] Body,
    double Micros
)
{
    /// <summary>The version; empty: there is none.</summary>
    public string Version => Header("ETag").Trim('"');

    /// <summary>Bytes of the value.</summary>
    public long Length =>
        long.TryParse(Header("Content-Length"), CultureInfo.InvariantCulture, out long length) ? length : 0;

    /// <summary>A header; empty: it is not there.</summary>
    public string Header(string name) => Headers.GetValueOrDefault(name, "");

    /// <summary>A number in a header; 0: it is not there.</summary>
    public int Number(string name) => int.TryParse(Header(name), out int number) ? number : 0;

    /// <summary>What its client keeps beside the value.</summary>
    public JsonObject Fields()
    {
        const string Prefix = "x-meta-";
        var fields = new JsonObject();
        foreach ((string name, string value) in Headers.OrderBy(header => header.Key, StringComparer.Ordinal))
        {
            if (name.StartsWith(Prefix, StringComparison.OrdinalIgnoreCase))
            {
                fields[name[Prefix.Length..].ToLowerInvariant()] = value;
            }
        }

        return fields;
    }

    /// <summary>All headers by name.</summary>
    public static IReadOnlyDictionary<string, string> Of(params HttpHeaders[] headers) =>
        headers
            .SelectMany(some => some)
            .ToDictionary(one => one.Key, one => string.Join(", ", one.Value), StringComparer.OrdinalIgnoreCase);
}

using System.Security.Cryptography;
using System.Text;

namespace CamCube.Cabling;

/// <summary>
/// The form of what a server keeps for life: lines of text, the first says what it is and its version, the last is a
/// checksum of all before it (docs/cabling.md, state).
/// </summary>
public static class StateText
{
    /// <summary>Name of the file with the server's identity.</summary>
    public const string IdentityName = "server";

    /// <summary>Name of the file with the map.</summary>
    public const string MapName = "map";

    private const string IdentityTitle = "camcube server 1";
    private const string MapTitle = "camcube map 1";

    /// <summary>The text of the file with a server's identity.</summary>
    public static string OfIdentity(ServerId server) => Seal($"{IdentityTitle}\nid {server}\n");

    /// <summary>Reads <see cref="OfIdentity"/>.</summary>
    /// <param name="text">The file's text.</param>
    /// <param name="path">Its path, for people.</param>
    /// <exception cref="LinkProviderException">It is damaged, or another version's.</exception>
    public static ServerId ReadIdentity(string text, string path)
    {
        string[] lines = Open(text, IdentityTitle, path);
        return lines.Length == 1 && Value(lines[0], "id", path) is { } id && ServerId.TryParse(id, out ServerId server)
            ? server
            : throw Damaged(path);
    }

    /// <summary>The text of the file with the map.</summary>
    public static string OfMap(CablingMap map)
    {
        var text = new StringBuilder();
        text.Append(MapTitle).Append('\n');
        text.Append($"cluster {map.ClusterId}\n");
        text.Append($"shape {map.Shape}\n");
        text.Append($"parallel-cables {(map.Shape.ParallelCables ? "true" : "false")}\n");
        text.Append(
            System.Globalization.CultureInfo.InvariantCulture,
            $"epoch {map.Epoch.UnixMillis} {map.Epoch.Maker}\n"
        );
        text.Append(System.Globalization.CultureInfo.InvariantCulture, $"max-frame {map.MaxFrameLength}\n");
        for (int rank = 0; rank < map.Servers.Count; rank++)
        {
            text.Append($"server {map.Shape.At(rank)} {map.Servers[rank]}\n");
        }

        return Seal(text.ToString());
    }

    /// <summary>Reads <see cref="OfMap"/>.</summary>
    /// <param name="text">The file's text.</param>
    /// <param name="path">Its path, for people.</param>
    /// <exception cref="LinkProviderException">It is damaged, or another version's.</exception>
    public static CablingMap ReadMap(string text, string path)
    {
        string[] lines = Open(text, MapTitle, path);
        if (
            lines.Length < 5
            || TorusShape.TryParse(Value(lines[1], "shape", path), out TorusShape shape) is not null
            || !bool.TryParse(Value(lines[2], "parallel-cables", path), out bool parallel)
            || Value(lines[3], "epoch", path).Split(' ') is not [var millis, var maker]
            || !long.TryParse(millis, out long unixMillis)
            || !ServerId.TryParse(maker, out ServerId madeBy)
            || !int.TryParse(Value(lines[4], "max-frame", path), out int maxFrame)
            || lines.Length != 5 + shape.Count
        )
        {
            throw Damaged(path);
        }

        var servers = new ServerId[shape.Count];
        for (int rank = 0; rank < servers.Length; rank++)
        {
            if (
                Value(lines[5 + rank], "server", path).Split(' ') is not [var place, var id]
                || place != shape.At(rank).ToString()
                || !ServerId.TryParse(id, out servers[rank])
            )
            {
                throw Damaged(path);
            }
        }

        return new CablingMap(
            Value(lines[0], "cluster", path),
            shape with
            {
                ParallelCables = parallel,
            },
            new MapEpoch(unixMillis, madeBy),
            maxFrame,
            servers
        );
    }

    private static string Value(string line, string name, string path) =>
        line.StartsWith(name + " ", StringComparison.Ordinal) ? line[(name.Length + 1)..] : throw Damaged(path);

    private static string Seal(string text) => $"{text}sum {Sum(text)}\n";

    /// <summary>The lines between title and checksum.</summary>
    private static string[] Open(string text, string title, string path)
    {
        int sumAt = text.LastIndexOf("sum ", StringComparison.Ordinal);
        if (sumAt <= 0 || text[sumAt..] != $"sum {Sum(text[..sumAt])}\n")
        {
            throw Damaged(path);
        }

        string[] lines = text[..(sumAt - 1)].Split('\n');
        return lines[0] == title
            ? lines[1..]
            : throw new LinkProviderException(
                $"{path} begins with '{lines[0]}', and this version reads '{title}': it was written by another version."
            );
    }

    private static string Sum(string text) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)).AsSpan(0, 8));

    private static LinkProviderException Damaged(string path) =>
        new(
            $"{path} is damaged; bring it back from a copy, or, if this server may become a new one, "
                + $"delete it (docs/cabling.md, state)."
        );
}

using System.Text;
using System.Text.Unicode;
using CamCube.Services.KeyValue.Verification;

namespace CamCube.Services.KeyValue.Commands;

/// <summary>A copy that is not as the others are, in JSON. Of the key and its hexadecimal digits one is there, or
/// none: nobody could read it.</summary>
internal sealed record DifferenceRow(
    string Group,
    string Server,
    string? Key,
    string? Hex,
    string Version,
    CopyDifferenceKind What
)
{
    public static DifferenceRow Of(string group, CopyDifference one, byte[]? key)
    {
        bool isText = key is not null && Utf8.IsValid(key);
        return new DifferenceRow(
            group,
            $"{one.Server}",
            isText ? Encoding.UTF8.GetString(key!) : null,
            key is null || isText ? null : Convert.ToHexStringLower(key),
            $"{one.Version}",
            one.Kind
        );
    }
}

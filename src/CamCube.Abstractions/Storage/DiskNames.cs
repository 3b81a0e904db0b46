using System.Buffers;

namespace CamCube;

/// <summary>Which names files of services may have, so that they mean the same on every disk.</summary>
public static class DiskNames
{
    /// <summary>Most characters of a name.</summary>
    public const int MaxLength = 100;

    private static readonly SearchValues<char> Allowed = SearchValues.Create(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"
    );

    /// <summary>Whether a file may have this name.</summary>
    public static bool IsValid(ReadOnlySpan<char> name) =>
        name.Length is > 0 and <= MaxLength && name[0] != '.' && !name.ContainsAnyExcept(Allowed);

    /// <summary>Throws unless a file may have this name.</summary>
    /// <exception cref="ArgumentException">It may not; says why.</exception>
    public static void Check(string name)
    {
        ArgumentNullException.ThrowIfNull(name);
        if (!IsValid(name))
        {
            throw new ArgumentException(
                $"'{name}' cannot be the name of a file: 1 to {MaxLength} of A-Z a-z 0-9 . _ - and no dot in front.",
                nameof(name)
            );
        }
    }
}

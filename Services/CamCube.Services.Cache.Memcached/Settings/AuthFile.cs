using System.Security.Cryptography;
using System.Text;

namespace CamCube.Services.Cache.Memcached.Settings;

/// <summary>
/// Users and passwords of a file, a line <c>user:password</c> each, as memcached's. Reading it again replaces all of
/// them or, if that fails, none. Any thread.
/// </summary>
/// <param name="path">The file.</param>
internal sealed class AuthFile(string path)
{
    private volatile Entry[] _entries = [];

    /// <summary>Where it is.</summary>
    public string Path => path;

    /// <summary>Reads the file.</summary>
    /// <exception cref="FrontEndException">It cannot be read, or a line is malformed; those known before
    /// stay.</exception>
    public void Load()
    {
        var entries = new List<Entry>();
        try
        {
            foreach (string line in File.ReadAllLines(path, Encoding.Latin1))
            {
                if (line.Length == 0)
                {
                    continue;
                }

                int colon = line.IndexOf(':', StringComparison.Ordinal);
                entries.Add(
                    colon > 0
                        ? new Entry(
                            Encoding.Latin1.GetBytes(line[..colon]),
                            Encoding.Latin1.GetBytes(line[(colon + 1)..])
                        )
                        : throw new FrontEndException(
                            $"the authentication file {path} has a line that is not user:password"
                        )
                );
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new FrontEndException(
                $"the authentication file {path} cannot be read: {error.Message}",
                isPortInUse: false,
                error
            );
        }

        _entries =
            entries.Count > 0
                ? [.. entries]
                : throw new FrontEndException($"the authentication file {path} names nobody");
    }

    /// <summary>Whether a user has this password. How long it takes does not tell how much of a password was
    /// right.</summary>
    public bool Knows(ReadOnlySpan<byte> user, ReadOnlySpan<byte> password)
    {
        bool isKnown = false;
        foreach (Entry entry in _entries)
        {
            bool isUser = CryptographicOperations.FixedTimeEquals(user, entry.User);
            isKnown |= isUser & CryptographicOperations.FixedTimeEquals(password, entry.Password);
        }

        return isKnown;
    }

    private readonly record struct Entry(byte[] User, byte[] Password);
}

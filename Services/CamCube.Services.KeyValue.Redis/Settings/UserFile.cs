using System.Security.Cryptography;
using System.Text;

namespace CamCube.Services.KeyValue.Redis.Settings;

/// <summary>
/// Users of a file, a line <c>name:rights:password</c> each; empty lines and those that begin with <c>#</c> are none.
/// Reading it again replaces all of them or, if that fails, none. Any thread.
/// </summary>
/// <param name="path">The file.</param>
internal sealed class UserFile(string path)
{
    private volatile Entry[] _entries = [];

    /// <summary>Reads the file.</summary>
    /// <exception cref="FrontEndException">It cannot be read, or a line is malformed; those known before
    /// stay.</exception>
    public void Load()
    {
        List<Entry> entries = [];
        try
        {
            foreach (string line in File.ReadAllLines(path, Encoding.UTF8))
            {
                if (line.Length > 0 && line[0] != '#')
                {
                    entries.Add(Read(line));
                }
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new FrontEndException(
                $"the user file {path} cannot be read: {error.Message}",
                isPortInUse: false,
                error
            );
        }

        _entries = entries.Count > 0 ? [.. entries] : throw new FrontEndException($"the user file {path} names nobody");
    }

    /// <summary>What a user with this password may do; None: there is none. How long it takes does not tell how much of
    /// a password was right.</summary>
    public UserRights RightsOf(ReadOnlySpan<byte> user, ReadOnlySpan<byte> password)
    {
        Span<byte> given = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(password, given);
        UserRights rights = UserRights.None;
        foreach (Entry entry in _entries)
        {
            bool isUser = CryptographicOperations.FixedTimeEquals(user, entry.User);
            bool isRight = isUser & CryptographicOperations.FixedTimeEquals(given, entry.PasswordHash);
            rights = isRight ? entry.Rights : rights;
        }

        return rights;
    }

    private Entry Read(string line)
    {
        string[] parts = line.Split(':', 3);
        UserRights rights =
            parts.Length < 3
                ? UserRights.None
                : parts[1] switch
                {
                    "read" => UserRights.Read,
                    "write" => UserRights.Write,
                    "control" => UserRights.Control,
                    _ => UserRights.None,
                };
        return rights == UserRights.None || parts[0].Length == 0
            ? throw new FrontEndException(
                $"the user file {path} has a line that is not name:rights:password with rights read, write or control"
            )
            : new Entry(Encoding.UTF8.GetBytes(parts[0]), rights, SHA256.HashData(Encoding.UTF8.GetBytes(parts[2])));
    }

    private readonly record struct Entry(byte[] User, UserRights Rights, byte[] PasswordHash);
}

using System.Globalization;

namespace CamCube.Workers;

/// <summary>Whom a program runs as. posix_spawn cannot say it, so setpriv (util-linux) starts the program.</summary>
internal static class ProgramUser
{
    private const string Users = "/etc/passwd";
    private const int Fields = 4;

    /// <summary>What setpriv is told, so that a program runs as a user.</summary>
    /// <param name="user">As <see cref="ProgramStart.User"/>.</param>
    /// <param name="options">Options of it.</param>
    /// <returns>Why not; null if it can be.</returns>
    public static string? Find(string user, out string[] options)
    {
        options = [];
        if (!Environment.IsPrivilegedProcess)
        {
            return $"Programs cannot run as the user {user}: this process is not root's.";
        }

        if (!Setpriv.IsThere)
        {
            return $"Programs cannot run as the user {user}: {Setpriv.Path} is not there.";
        }

        if (!TryNumbers(user, out uint id, out uint group))
        {
            return $"There is no user {user}.";
        }

        options =
        [
            string.Create(CultureInfo.InvariantCulture, $"--reuid={id}"),
            string.Create(CultureInfo.InvariantCulture, $"--regid={group}"),
            "--clear-groups",
            "--no-new-privs",
        ];
        return null;
    }

    private static bool TryNumbers(string user, out uint id, out uint group)
    {
        string[] parts = user.Split(':');
        bool hasId = TryNumber(parts[0], out id);
        group = id;
        if (parts.Length > 1)
        {
            return parts.Length == 2 && hasId && TryNumber(parts[1], out group);
        }

        foreach (string line in File.Exists(Users) ? File.ReadLines(Users) : [])
        {
            string[] fields = line.Split(':');
            if (fields.Length >= Fields && TryNumber(fields[2], out uint itsId) && TryNumber(fields[3], out uint its))
            {
                if (hasId ? itsId == id : fields[0] == user)
                {
                    (id, group) = (itsId, its);
                    return true;
                }
            }
        }

        // Numbers need no entry: their group has the same.
        return hasId;
    }

    private static bool TryNumber(string text, out uint number) =>
        uint.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number) && number != uint.MaxValue;
}

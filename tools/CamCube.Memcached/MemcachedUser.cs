using System.Runtime.InteropServices;

namespace CamCube.Memcached;

/// <summary>Whom a server that root started becomes, once its ports are open.</summary>
internal sealed partial class MemcachedUser
{
    private readonly uint _user;
    private readonly uint _group;

    private MemcachedUser(uint user, uint group) => (_user, _group) = (user, group);

    /// <summary>The user of -u; null: nobody else, because it was not root who started it.</summary>
    /// <exception cref="MemcachedException">Root has to say whom, or there is no such user.</exception>
    public static unsafe MemcachedUser? Find(string? name)
    {
        if (OperatingSystem.IsWindows() || geteuid() != 0)
        {
            return null;
        }

        if (string.IsNullOrEmpty(name))
        {
            throw new MemcachedException("can't run as root without the -u switch");
        }

        Password* entry = getpwnam(name);
        return entry is null
            ? throw new MemcachedException($"can't find the user {name} to switch to")
            : new MemcachedUser(entry->User, entry->Group);
    }

    /// <summary>Gives root's rights up, for all threads.</summary>
    /// <exception cref="MemcachedException">The system refuses.</exception>
    public void Become()
    {
        if (_user == 0)
        {
            return;
        }

        if (setgroups(0, 0) < 0 || setgid(_group) < 0 || setuid(_user) < 0)
        {
            throw new MemcachedException($"failed to assume identity of user {_user}");
        }
    }

    [LibraryImport("libc")]
    private static partial uint geteuid();

    [LibraryImport("libc", StringMarshalling = StringMarshalling.Utf8)]
    private static unsafe partial Password* getpwnam(string name);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int setgroups(nuint count, nint groups);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int setgid(uint group);

    [LibraryImport("libc", SetLastError = true)]
    private static partial int setuid(uint user);

    // struct passwd begins so on Linux.
    private readonly record struct Password(nint Name, nint Secret, uint User, uint Group);
}

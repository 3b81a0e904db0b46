using System.Runtime.Versioning;
using System.Security.Cryptography;

namespace CamCube.Workers;

/// <summary>
/// A control group of Linux (cgroup v2, 5.14) around one program: what it starts is in it, whatever it does to leave
/// its process group, and is killed with it. Only where this process may make groups below its own: as root, or
/// delegated. It limits nothing.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class ControlGroup
{
    private static readonly string? Above = FindAbove();
    private static readonly string Name = $"camcube-{Environment.ProcessId}-{RandomNumberGenerator.GetHexString(8)}";
    private static readonly Lock Gate = new();
    private static readonly List<ControlGroup> Left = [];
    private static long _last;

    private readonly string _folder;

    private ControlGroup(string folder) => _folder = folder;

    /// <summary>Whether this process may make them.</summary>
    public static bool IsThere { get; } = Find();

    /// <summary>A new one; null: it cannot be made.</summary>
    public static ControlGroup? TryMake()
    {
        if (Above is null)
        {
            return null;
        }

        RemoveLeft();
        ControlGroup group = new(Path.Combine(Above, $"{Name}-{Interlocked.Increment(ref _last)}"));
        try
        {
            Directory.CreateDirectory(group._folder);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }

        if (File.Exists(group.FileOf("cgroup.kill")))
        {
            return group;
        }

        _ = group.TryRemove();
        return null;
    }

    /// <summary>Puts a process in, and so all that it starts from now on.</summary>
    public bool TryAdd(int process) => TryWrite("cgroup.procs", process.ToString());

    /// <summary>Kills all in it. They are gone soon.</summary>
    public void Kill() => _ = TryWrite("cgroup.kill", "1");

    /// <summary>Removes it.</summary>
    /// <returns>False: there is still somebody in it.</returns>
    public bool TryRemove()
    {
        try
        {
            Directory.Delete(_folder);
            return true;
        }
        catch (DirectoryNotFoundException)
        {
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }

    /// <summary>It is removed when the next is made, if it can be then.</summary>
    public void Leave()
    {
        lock (Gate)
        {
            Left.Add(this);
        }
    }

    private static bool Find()
    {
        ControlGroup? group = TryMake();
        _ = group?.TryRemove();
        return group is not null;
    }

    private static void RemoveLeft()
    {
        lock (Gate)
        {
            Left.RemoveAll(group => group.TryRemove());
        }
    }

    /// <summary>The folder of this process's own group.</summary>
    private static string? FindAbove()
    {
        try
        {
            string? own = File.ReadLines("/proc/self/cgroup")
                .FirstOrDefault(line => line.StartsWith("0::/", StringComparison.Ordinal))
                ?[3..];
            foreach (string line in own is null ? [] : File.ReadLines("/proc/self/mountinfo"))
            {
                // number parent device root place options ... - kind source options
                string[] fields = line.Split(' ');
                int kind = Array.IndexOf(fields, "-") + 1;
                if (kind > 0 && fields[kind] == "cgroup2" && Below(own!, fields[3]) is { } below)
                {
                    string folder = Path.Combine(fields[4], below);
                    return Directory.Exists(folder) ? folder : null;
                }
            }
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // As if there were none.
        }

        return null;
    }

    private static string? Below(string path, string root) =>
        root == "/" ? path[1..]
        : path == root || path.StartsWith(root + "/", StringComparison.Ordinal) ? path[root.Length..].TrimStart('/')
        : null;

    private string FileOf(string name) => Path.Combine(_folder, name);

    private bool TryWrite(string name, string text)
    {
        try
        {
            File.WriteAllText(FileOf(name), text);
            return true;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return false;
        }
    }
}

using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>Network namespaces with names under /run/netns, as <c>ip netns</c> makes them. The calling thread goes in,
/// and is back outside when a call returns: nobody else of the process is ever inside.</summary>
[SupportedOSPlatform("linux")]
public static unsafe class NamespaceFile
{
    private const string Folder = "/run/netns";
    private const string Own = "/proc/thread-self/ns/net";
    private const int Network = 0x4000_0000;
    private const nuint Bind = 4_096;
    private const int Detach = 2;
    private const int CloseOnExec = 0x80000;

    /// <summary>The file of a namespace.</summary>
    public static string PathOf(string name) => $"{Folder}/{name}";

    /// <summary>Runs work in a namespace, which is made if it is not there. What the work opens stays there.</summary>
    /// <typeparam name="T">What the work finds.</typeparam>
    /// <param name="name">A name of a file.</param>
    /// <param name="work">The work; it is done on this thread.</param>
    /// <param name="isNew">Whether it was made.</param>
    /// <exception cref="IOException">It cannot be entered or made; a line in words.</exception>
    public static T Inside<T>(string name, Func<T> work, out bool isNew)
    {
        ArgumentNullException.ThrowIfNull(work);
        using DescriptorHandle home = LinuxCalls.Open(Own, CloseOnExec, 0);
        if (home.IsInvalid)
        {
            throw SystemError.Failure(Own, Marshal.GetLastPInvokeError());
        }

        try
        {
            isNew = !TryEnter(name);
            if (isNew)
            {
                Make(name);
            }

            return work();
        }
        finally
        {
            // A thread that stays in the wrong network would open everything else there, too.
            if (LinuxCalls.EnterNamespace(home, Network) < 0)
            {
                Environment.FailFast($"A thread cannot leave the network namespace {name}.");
            }
        }
    }

    /// <summary>Takes its name from a namespace; it is gone when nobody is left in it. False: there was none.</summary>
    public static bool Delete(string name)
    {
        string path = PathOf(name);
        if (LinuxCalls.Unmount(path, Detach) < 0)
        {
            return false;
        }

        File.Delete(path);
        return true;
    }

    private static bool TryEnter(string name)
    {
        using DescriptorHandle there = LinuxCalls.Open(PathOf(name), CloseOnExec, 0);
        return !there.IsInvalid && LinuxCalls.EnterNamespace(there, Network) == 0;
    }

    private static void Make(string name)
    {
        Directory.CreateDirectory(Folder);
        string path = PathOf(name);

        // A file of this name is what is left of a namespace after a reboot of a container, or not ours: then mounting
        // over it does no harm.
        File.Create(path).Dispose();
        if (LinuxCalls.LeaveNamespaces(Network) < 0 || LinuxCalls.Mount(Own, path, "none", Bind, null) < 0)
        {
            int error = Marshal.GetLastPInvokeError();
            File.Delete(path);
            throw SystemError.Failure($"a network namespace {name}", error);
        }
    }
}

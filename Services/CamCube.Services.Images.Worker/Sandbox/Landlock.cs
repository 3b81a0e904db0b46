using System.Runtime.InteropServices;

namespace CamCube.Services.Images.Worker.Sandbox;

/// <summary>
/// Landlock (Linux 5.13): what of the file system a thread and all that comes of it may see. It holds for the calling
/// thread only, so it is set before the program executes itself again, which makes it the first of all threads.
/// </summary>
internal static unsafe class Landlock
{
    private const int CreateRuleset = 444;
    private const int AddRule = 445;
    private const int RestrictSelf = 446;
    private const int AskVersion = 1;
    private const int PathBeneath = 1;
    private const int PathOnly = 0x200000 | 0x80000;
    private const ulong Execute = 1;
    private const ulong ReadFile = 4;
    private const ulong ReadFolder = 8;
    private const int AttributesLength = 24;
    private const int RuleLength = 12;

    /// <summary>Restricts the calling thread to reading these.</summary>
    /// <param name="folders">Folders and files; what is not there is passed over.</param>
    /// <param name="lacks">Gets a name if the kernel has it not.</param>
    public static void Restrict(IEnumerable<string> folders, List<string> lacks)
    {
        int version = (int)SystemCalls.Call(CreateRuleset, 0, 0, AskVersion, 0);
        if (version < 1)
        {
            lacks.Add("landlock");
            return;
        }

        ulong* attributes = stackalloc ulong[3];
        attributes[0] = FileRights(version);

        // Version 4 knows TCP: none. Version 6 knows abstract sockets and signals to others: none.
        attributes[1] = version >= 4 ? 3UL : 0;
        attributes[2] = version >= 6 ? 3UL : 0;
        int length =
            version >= 6 ? AttributesLength
            : version >= 4 ? 16
            : 8;
        int rules = (int)SystemCalls.Call(CreateRuleset, (nint)attributes, length, 0, 0);
        if (rules < 0)
        {
            lacks.Add("landlock");
            return;
        }

        foreach (string folder in folders)
        {
            Allow(rules, folder);
        }

        if (SystemCalls.Call(RestrictSelf, rules, 0, 0, 0) != 0)
        {
            lacks.Add("landlock");
        }

        _ = SystemCalls.Close(rules);
    }

    /// <summary>All rights over files that the kernel's version knows: what is not allowed is refused.</summary>
    private static ulong FileRights(int version) =>
        version switch
        {
            1 => 0x1FFF,
            2 => 0x3FFF,
            3 or 4 => 0x7FFF,
            _ => 0xFFFF,
        };

    private static void Allow(int rules, string path)
    {
        int descriptor = SystemCalls.Open(path, PathOnly, 0);
        if (descriptor < 0)
        {
            return;
        }

        byte* rule = stackalloc byte[RuleLength];
        ulong rights = ReadFile | Execute | (Directory.Exists(path) ? ReadFolder : 0);
        MemoryMarshal.Write(new Span<byte>(rule, RuleLength), rights);
        MemoryMarshal.Write(new Span<byte>(rule + sizeof(ulong), sizeof(int)), descriptor);
        _ = SystemCalls.Call(AddRule, rules, PathBeneath, (nint)rule, 0);
        _ = SystemCalls.Close(descriptor);
    }
}

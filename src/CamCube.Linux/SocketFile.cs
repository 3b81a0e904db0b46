using System.Runtime.InteropServices;
using System.Runtime.Versioning;

namespace CamCube.Linux;

/// <summary>The file of a Unix socket. Any thread.</summary>
[SupportedOSPlatform("linux")]
public static unsafe class SocketFile
{
    private const int CurrentFolder = -100;
    private const int NoFollow = 0x100;
    private const uint WantsType = 1;
    private const int FactsLength = 256;
    private const int ModeOffset = 28;
    private const int TypeMask = 0xF000;
    private const int SocketType = 0xC000;

    /// <summary>Whether a path is a socket, and no link to one. False also if that cannot be told.</summary>
    public static bool IsAt(string path)
    {
        byte* facts = stackalloc byte[FactsLength];
        return LinuxCalls.Describe(CurrentFolder, path, NoFollow, WantsType, facts) == 0
            && (MemoryMarshal.Read<ushort>(new ReadOnlySpan<byte>(facts + ModeOffset, sizeof(ushort))) & TypeMask)
                == SocketType;
    }
}

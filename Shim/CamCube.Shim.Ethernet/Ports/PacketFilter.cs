using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Frames;

namespace CamCube.Shim.Ethernet.Ports;

/// <summary>A program of the packet filter of the kernel: which frames a socket gets, and how much.</summary>
[SupportedOSPlatform("linux")]
internal sealed unsafe class PacketFilter
{
    private const int AttachFilter = 26;

    // BPF_LD|BPF_W|BPF_ABS, BPF_LD|BPF_H|BPF_ABS, BPF_ALU|BPF_AND|BPF_K, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K.
    private const ushort LoadWord = 0x20,
        LoadHalf = 0x28,
        And = 0x54,
        IfEqual = 0x15,
        Return = 0x06;

    // Where the kernel answers whose the frame is (SKF_AD_PKTTYPE) and what tag was cut out of it (SKF_AD_VLAN_TAG),
    // from SKF_AD_OFF on.
    private const uint Whose = 0xFFFF_F004,
        Tag = 0xFFFF_F02C,
        Others = 3,
        Vlan = 0xFFF,
        TypeOffset = 12,
        Whole = 0x4_0000;

    private readonly Instruction[] _program;

    private PacketFilter(params Instruction[] program) => _program = program;

    /// <summary>Frames that are to this server or to everybody, and in no VLAN: a frame with a tag is somebody else's
    /// to the kernel, and a socket of one EtherType gets it without the tag.</summary>
    public static PacketFilter NotForOthers { get; } =
        new(new(LoadWord, Whose), new(IfEqual, Others, 0, 1), new(Return, 0), new(Return, Whole));

    /// <summary>Frames that are not ours: of another EtherType, or in a VLAN. For a socket for all
    /// EtherTypes.</summary>
    /// <param name="kept">Bytes of a frame that are kept.</param>
    public static PacketFilter Foreign(int kept) =>
        new(
            new(LoadWord, Tag),
            new(And, Vlan),
            new(IfEqual, 0, 0, 2),
            new(LoadHalf, TypeOffset),
            new(IfEqual, EthernetHeader.EtherType, 1, 0),
            new(Return, (uint)kept),
            new(Return, 0)
        );

    /// <summary>Gives it to a socket. Answers an error number, 0 for success.</summary>
    public int Attach(DescriptorHandle socket)
    {
        fixed (Instruction* program = _program)
        {
            // struct sock_fprog.
            var order = new Order { Length = (ushort)_program.Length, Program = program };
            return NativeSocket.Set(
                socket,
                NativeSocket.SocketLevel,
                AttachFilter,
                MemoryMarshal.AsBytes(new ReadOnlySpan<Order>(ref order))
            );
        }
    }

    /// <summary>struct sock_filter: code, jumps if true and if false, operand.</summary>
    private readonly struct Instruction(ushort code, uint operand, byte ifTrue = 0, byte ifFalse = 0)
    {
        public readonly ushort Code = code;
        public readonly byte IfTrue = ifTrue;
        public readonly byte IfFalse = ifFalse;
        public readonly uint Operand = operand;
    }

    private struct Order
    {
        public ushort Length;
        public Instruction* Program;
    }
}

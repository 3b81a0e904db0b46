using System.Runtime.InteropServices;
using System.Runtime.Versioning;
using CamCube.Cables;
using CamCube.Linux;
using CamCube.Shim.Ethernet.Settings;

namespace CamCube.Shim.Ethernet.Interfaces;

/// <summary>Linux's network interfaces: a list of them, and a socket that says when one of them changed. Of the network
/// namespace in which it was made.</summary>
[SupportedOSPlatform("linux")]
internal sealed class LinuxInterfaces : IDisposable
{
    private const int FamilyNetlink = 16;
    private const int TypeRaw = 3;
    private const int ProtocolRoute = 0;
    private const uint GroupLink = 1;
    private const ushort GetLink = 18,
        GetAddress = 22;
    private const ushort Request = 1,
        Dump = 0x300;
    private readonly byte[] _buffer = new byte[65_536];
    private readonly DescriptorHandle _questions = OpenSocket(0);

    public LinuxInterfaces() => Handle = OpenSocket(GroupLink);

    /// <summary>Opens and chooses. Changes are heard from before the list is read, so none is missed in
    /// between.</summary>
    /// <exception cref="LinkProviderException">The choice cannot be made.</exception>
    public static LinuxInterfaces Open(
        EthernetOptions options,
        LinkSet links,
        out IReadOnlyList<(CablePort Port, InterfaceInfo Interface)> chosen
    )
    {
        var interfaces = new LinuxInterfaces();
        try
        {
            chosen = InterfaceChoice.Choose(options.Interfaces, interfaces.List(), links);
            return interfaces;
        }
        catch
        {
            interfaces.Dispose();
            throw;
        }
    }

    /// <summary>Readable when an interface changed.</summary>
    public DescriptorHandle Handle { get; }

    /// <summary>All interfaces as they are now.</summary>
    public IReadOnlyList<InterfaceInfo> List()
    {
        List<InterfaceInfo> links = [];
        Ask(
            GetLink,
            (type, body) =>
            {
                if (type == NetlinkReader.NewLink && NetlinkReader.ReadLink(body) is { } link)
                {
                    links.Add(link);
                }
            }
        );
        HashSet<int> addressed = [];
        Ask(
            GetAddress,
            (type, body) =>
            {
                if (type == NetlinkReader.NewAddress)
                {
                    addressed.Add(NetlinkReader.ReadAddressed(body));
                }
            }
        );
        return [.. links.Select(l => l with { HasAddress = addressed.Contains(l.Index) })];
    }

    /// <summary>Takes what the socket has to say. True: one of the interfaces that the question is about changed, or so
    /// much changed that nobody knows.</summary>
    /// <param name="isMeant">Whether an interface matters.</param>
    public bool HasChanged(Func<InterfaceInfo, bool> isMeant)
    {
        bool changed = false;
        for (; ; )
        {
            int n = NativeSocket.Receive(Handle, _buffer, out int error);
            if (n <= 0)
            {
                if (error == SystemError.NoBuffers)
                {
                    changed = true;
                    continue;
                }

                return changed;
            }

            ReadOnlySpan<byte> messages = _buffer.AsSpan(0, n);
            while (NetlinkReader.TryNext(ref messages, out int type, out ReadOnlySpan<byte> body))
            {
                changed |=
                    type is NetlinkReader.NewLink or NetlinkReader.DeleteLink
                    && NetlinkReader.ReadLink(body) is { } link
                    && isMeant(link);
            }
        }
    }

    public void Dispose()
    {
        Handle.Dispose();
        _questions.Dispose();
    }

    private static DescriptorHandle OpenSocket(uint groups)
    {
        int error = NativeSocket.Open(FamilyNetlink, TypeRaw, ProtocolRoute, out DescriptorHandle socket);
        if (error == 0)
        {
            // struct sockaddr_nl: family, pad, pid, groups.
            Span<byte> address = stackalloc byte[12];
            address.Clear();
            MemoryMarshal.Write(address, (ushort)FamilyNetlink);
            MemoryMarshal.Write(address[8..], groups);
            error = NativeSocket.Bind(socket, address);
        }

        return error == 0 ? socket : throw SystemError.Failure("netlink socket", error);
    }

    private void Ask(ushort question, Action<int, ReadOnlySpan<byte>> answer)
    {
        // struct nlmsghdr, then the question's own header, all zero: every interface, every family.
        Span<byte> request = stackalloc byte[32];
        request.Clear();
        MemoryMarshal.Write(request, (uint)request.Length);
        MemoryMarshal.Write(request[4..], question);
        MemoryMarshal.Write(request[6..], (ushort)(Request | Dump));
        int error = NativeSocket.Send(_questions, request);
        while (error == 0)
        {
            // The kernel writes the next piece of a list while the last one is read: there is no waiting in between.
            int n = NativeSocket.Receive(_questions, _buffer, out error);
            ReadOnlySpan<byte> messages = _buffer.AsSpan(0, Math.Max(n, 0));
            while (NetlinkReader.TryNext(ref messages, out int type, out ReadOnlySpan<byte> body))
            {
                if (type is NetlinkReader.Done or NetlinkReader.Error)
                {
                    return;
                }

                answer(type, body);
            }
        }

        throw SystemError.Failure("netlink", error);
    }
}

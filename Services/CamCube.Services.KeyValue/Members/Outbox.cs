using CamCube.Messaging;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Messages of groups on their way out: all that is said to a server within a callback goes in as few packets
/// as it fits into. Loop only.</summary>
internal sealed class Outbox(IServer server, MessageChannel<KeyValueHeader> channel, Peers peers)
{
    // Entries beyond this go with the next message: those are asked for when this one is acknowledged, or with a beat.
    private const int MostBytes = 512 << 10;
    private readonly List<Peer> _full = [];
    private Member? _member;
    private bool _isPosted;

    /// <summary>Says something to another member of a group.</summary>
    public void Add(Member member, in GroupMessage message)
    {
        _member = member;
        Peer peer = peers[message.To.Server];
        int before = peer.Gathering.Length;
        int entries = CountEntries(member, message);
        GroupMessageFormat.Write(peer.Gathering, member.Id, message, entries, OperationAt);
        if (before > 0 && peer.Gathering.Length > channel.PieceLength)
        {
            // It does not fit into the packet any more: that one goes without it.
            byte[] late = peer.Gathering.Written[before..].ToArray();
            peer.Gathering.CutTo(before);
            Send(peer);
            peer.Gathering.Bytes(late);
            before = 0;
        }

        if (before == 0)
        {
            if (!_full.Contains(peer))
            {
                _full.Add(peer);
            }

            if (!_isPosted)
            {
                _isPosted = true;
                server.Loop.Post(static s => ((Outbox)s!).Flush(), this);
            }
        }
    }

    private static int CountEntries(Member member, in GroupMessage message)
    {
        int count = Math.Min(message.Entries?.Length ?? 0, GroupMessageFormat.MostEntries);
        long bytes = 0;
        for (int i = 0; i < count; i++)
        {
            bytes += OperationFormat.Overhead;
            bytes +=
                message.Entries![i].Kind == EntryKind.Operation
                    ? member.Tail[message.Index + 1 + (ulong)i].Operation!.Length
                    : 0;
            if (bytes > MostBytes && i > 0)
            {
                return i;
            }
        }

        return count;
    }

    private Operation OperationAt(ulong index) => _member!.Tail[index].Operation!;

    private void Flush()
    {
        _isPosted = false;
        foreach (Peer peer in _full)
        {
            Send(peer);
        }

        _full.Clear();
    }

    private void Send(Peer peer)
    {
        ReadOnlySpan<byte> content = peer.Gathering.Written;
        if (content.IsEmpty)
        {
            return;
        }

        var header = new KeyValueHeader { Type = MessageType.Groups };
        if (content.Length <= channel.PieceLength)
        {
            channel.Send(header, content, default, peer.Server);
        }
        else
        {
            // What is sent is not changed any more, so nobody has to say when it is through.
            channel.Send(header, default, content.ToArray(), peer.Server);
        }

        peer.Gathering.Clear();
    }
}

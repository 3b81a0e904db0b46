using CamCube.Messaging;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;
using MessageKind = CamCube.Services.KeyValue.Groups.MessageKind;

namespace CamCube.Services.KeyValue.Members;

/// <summary>Messages of groups on their way out: all that is said to a server within a callback goes in as few packets
/// as it fits into. Loop only.</summary>
internal sealed class Outbox(IServer server, MessageChannel<KeyValueHeader> channel, Peers peers)
{
    // Entries beyond this go with the next message: those are asked for when this one is acknowledged, or with a beat.
    private const int MostBytes = 512 << 10;
    private readonly List<Peer> _full = [];
    private Func<ulong, Operation>? _operationAt;
    private Member? _member;
    private bool _isPosted;

    /// <summary>Says something to another member of a group.</summary>
    public void Add(Member member, in GroupMessage message)
    {
        bool hasEntries = message is { Kind: MessageKind.Append, Entries.Length: > 0 };
        if (hasEntries && member.Sending.TryGetValue(message.To.Server, out MessageTicket ticket))
        {
            if (channel.IsSending(ticket))
            {
                // What was said meanwhile overtakes long entries, so they seem to be lost and are repeated: each time
                // that would make them later. What is left out now comes with a beat.
                return;
            }

            member.Sending.Remove(message.To.Server);
        }

        _member = member;
        Peer peer = peers[message.To.Server];
        int before = peer.Gathering.Length;
        int entries = CountEntries(member, message);
        GroupMessageFormat.Write(peer.Gathering, member.Id, message, entries, _operationAt ??= OperationAt);
        if (before > 0 && peer.Gathering.Length > channel.PieceLength)
        {
            // It does not fit into the packet any more: that one goes without it.
            byte[] late = peer.Gathering.Written[before..].ToArray();
            peer.Gathering.CutTo(before);
            Send(peer);
            peer.Gathering.Bytes(late);
            before = 0;
        }

        if (hasEntries)
        {
            peer.WithEntries.Add(member);
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
            MessageTicket ticket = channel.Send(header, default, content.ToArray(), peer.Server);
            foreach (Member member in peer.WithEntries)
            {
                member.Sending[peer.Server] = ticket;
            }
        }

        peer.WithEntries.Clear();
        peer.Gathering.Clear();
    }
}

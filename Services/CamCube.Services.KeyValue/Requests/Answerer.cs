using System.Runtime.InteropServices;
using CamCube.Messaging;
using CamCube.Services.KeyValue.Coding;
using CamCube.Services.KeyValue.Groups;
using CamCube.Services.KeyValue.Index;
using CamCube.Services.KeyValue.Log;
using CamCube.Services.KeyValue.Members;
using CamCube.Services.KeyValue.Operations;
using CamCube.Services.KeyValue.Wire;

namespace CamCube.Services.KeyValue.Requests;

/// <summary>Says what came of requests. Loop only.</summary>
internal sealed class Answerer(IServer server, MessageChannel<KeyValueHeader> channel)
{
    private const int MostTries = 4;
    private readonly WireWriter _head = new();

    public void Say(in Waiter to, in KeyValueAnswer answer) => Say(to, answer, default, default);

    public void Say(
        in Waiter to,
        in KeyValueAnswer answer,
        ReadOnlySpan<byte> metadata,
        ReadOnlyMemory<byte> value,
        bool isInPieces = false
    )
    {
        _head.Clear();
        AnswerFormat.Write(_head, answer, metadata.Length, isInPieces);
        _head.Bytes(metadata);
        KeyValueHeader header = KeyValueHeader.Answering(to.Header, MessageType.Answer);
        header.Hops = to.Header.Hops;
        channel.Send(header, _head.Written, value, to.Asker);
    }

    /// <summary>Says what came of a change.</summary>
    public void Say(in Waiter to, Member member, in Outcome outcome)
    {
        if (outcome.IsLess && to.Old is null)
        {
            // It was done; but what it gave is gone.
            Say(to, new KeyValueAnswer(KeyValueStatus.Unknown));
            return;
        }

        ReadOnlyMemory<byte> value = to.Old ?? default;
        if (outcome.IsSum)
        {
            byte[] text = new byte[DecimalNumber.MostBytes];
            value = text.AsMemory(0, DecimalNumber.Write(outcome.Number, text));
        }

        KeyValueAnswer answer = Told(member, outcome);
        Say(to, outcome.IsSum ? answer with { Length = value.Length } : answer, default, value);
    }

    /// <summary>Nobody does it here now.</summary>
    /// <param name="to">Who asks.</param>
    /// <param name="wait">How long to wait before asking again.</param>
    /// <param name="isUncertain">It had begun.</param>
    /// <param name="run">Not 0: the run of the asker behind which it is.</param>
    public void Refuse(in Waiter to, TimeSpan wait, bool isUncertain = false, ulong run = 0)
    {
        var content = new RefusalContent
        {
            WaitMicros = (uint)Math.Clamp(wait.TotalMicroseconds, 0, uint.MaxValue),
            IsUncertain = isUncertain ? (byte)1 : (byte)0,
            Run = run,
        };
        Refuse(to, content);
    }

    /// <summary>Nobody does it, here or elsewhere: too few of the servers that have the key have been there for a
    /// while.</summary>
    public void RefuseAlone(in Waiter to, TimeSpan wait) =>
        Refuse(to, new RefusalContent { WaitMicros = (uint)wait.TotalMicroseconds, IsAlone = 1 });

    /// <summary>Looks at what is visible here of a key.</summary>
    public static SeenValue Look(Member member, UInt128 key, MemberHost host)
    {
        if (!host.Index.TryGet(member.Id.Number, key, out IndexEntry entry) || entry.IsDeleted)
        {
            return new SeenValue(key, null, null);
        }

        // What was changed lately is in memory.
        return new SeenValue(key, entry, member.Tail.Find(entry.Version, entry.Location));
    }

    /// <summary>Answers with what was looked at in this callback.</summary>
    public void Say(Member member, in Waiter to, in SeenValue seen, MemberHost host)
    {
        if (seen.Entry is not { } entry)
        {
            Say(to, new KeyValueAnswer(KeyValueStatus.NotFound));
            return;
        }

        if (seen.Change is { } operation)
        {
            Say(to, Found(host, entry), operation.Metadata, operation.ValueMemory, entry.IsInPieces);
            return;
        }

        ReadLater(to, member.Id.Number, seen.Key, host);
    }

    /// <summary>The same without the value, so without the disk.</summary>
    public void SayLook(in Waiter to, in SeenValue seen, MemberHost host) =>
        Say(to, seen.Entry is { } entry ? Found(host, entry) : new KeyValueAnswer(KeyValueStatus.NotFound));

    // Of its own, so that nothing is made for what is in memory.
    private void ReadLater(Waiter to, uint group, UInt128 key, MemberHost host) =>
        server.Loop.Run(() => ReadAsync(to, group, key, host));

    private void Refuse(in Waiter to, in RefusalContent content) =>
        channel.Send(
            KeyValueHeader.Answering(to.Header, MessageType.Refusal),
            MemoryMarshal.AsBytes(new ReadOnlySpan<RefusalContent>(in content)),
            default,
            to.Asker
        );

    private static KeyValueAnswer Told(Member member, in Outcome outcome)
    {
        if (outcome.Status != KeyValueStatus.Done)
        {
            return new KeyValueAnswer(outcome.Status, outcome.Version, outcome.Number);
        }

        GroupState state = member.State;
        ulong index = outcome.Version & ((1UL << 40) - 1);
        int copies = 0;
        for (int position = 0; position < (state.Epoch?.Members.Length ?? 0); position++)
        {
            copies += state.AcknowledgedBy(position) >= index ? 1 : 0;
        }

        return new KeyValueAnswer(KeyValueStatus.Done, outcome.Version, outcome.Number, copies);
    }

    /// <summary>The answer to a read of a key that is there.</summary>
    public static KeyValueAnswer Found(MemberHost host, in IndexEntry entry) =>
        new(KeyValueStatus.Done, entry.Version, entry.Length)
        {
            // The index keeps the end as a later time, by less than a unit: nobody is told more than was asked for.
            Expires =
                entry.DueNanos == 0
                    ? null
                    : Lifetime.TimeOf(host.Expiries.LifetimeTo(entry.DueNanos - KeySlots.TimeUnit)),
        };

    private async ValueTask ReadAsync(Waiter to, uint group, UInt128 key, MemberHost host)
    {
        for (int tries = 0; tries < MostTries; tries++)
        {
            if (!host.Index.TryGet(group, key, out IndexEntry entry) || entry.IsDeleted)
            {
                Say(to, new KeyValueAnswer(KeyValueStatus.NotFound));
                return;
            }

            byte[] buffer = GC.AllocateUninitializedArray<byte>(entry.Location.Length);
            LogRead read = await host.LogOf(group)!.ReadAsync(entry.Location, buffer);
            if (read is { Status: DiskStatus.Done, IsRotten: false })
            {
                Say(
                    to,
                    Found(host, entry),
                    OperationFormat.MetadataOf(read.Record.Flags, read.Extra).Span,
                    read.Value,
                    entry.IsInPieces
                );
                return;
            }

            if (!host.Index.TryGet(group, key, out IndexEntry now))
            {
                // It went while it was read. With its group, perhaps, to other servers: they have it.
                break;
            }

            if (now.Location == entry.Location && !await host.StateDuty.MendAsync(group, key))
            {
                // It was not moved meanwhile, and nobody else has it: it cannot be read.
                break;
            }
        }

        if (!host.Index.TryGet(group, key, out _))
        {
            Refuse(to, TimeSpan.Zero);
            return;
        }

        Say(to, new KeyValueAnswer(KeyValueStatus.DataAway));
    }
}

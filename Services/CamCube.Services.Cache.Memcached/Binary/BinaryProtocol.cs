using System.Buffers.Binary;
using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Statistics;

namespace CamCube.Services.Cache.Memcached.Binary;

/// <summary>memcached's binary protocol on one connection: the state between two pieces of input.</summary>
internal sealed class BinaryProtocol(MemcachedContext context) : IClientProtocol
{
    private readonly DataBlock _data = new();
    private State _state;
    private CommandSlot? _slot;

    private enum State : byte
    {
        Head,
        Data,
        Garbage,
        Launch,
        LaunchThenGarbage,
        LaunchThenEnd,
        Ended,
    }

    public bool AwaitsValue => _state is State.Data or State.Garbage;

    public ProtocolStep Advance(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        return _state switch
        {
            State.Head => TakeHead(input, window, out consumed),
            State.Data => TakeData(input, State.Launch, out consumed),
            State.Garbage => TakeData(input, State.Head, out consumed),
            State.Ended => End(input, out consumed),
            _ => Launch(window),
        };
    }

    public bool WriteHead(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output)
    {
        context.Details.Observe(slot, reply);
        if (slot.Answer == SlotAnswer.Details)
        {
            StatisticsText.WriteDetails(context, slot, output);
            return false;
        }

        return BinaryAnswers.WriteHead(slot, reply, valueLength, context.Counters, output);
    }

    public bool WriteTail(CommandSlot slot, bool hadValue, ReplyBuffer output) => slot.Answer != SlotAnswer.LastLine;

    private ProtocolStep TakeHead(ReadOnlySpan<byte> input, CommandWindow window, out int consumed)
    {
        consumed = 0;
        if (input.Length < BinaryHeader.Length)
        {
            return ProtocolStep.NeedsInput;
        }

        // Nothing tells where the next request begins.
        if (input[0] != BinaryHeader.RequestMagic)
        {
            return End(input, out consumed);
        }

        // The parts before the value are looked at together. A head that is wrong is not waited for.
        BinaryHeader header = BinaryHeader.Read(input);
        bool isWrong = header.ValueLength < 0 || header.KeyLength > CommandSlot.MaxKeyLength;
        int length = BinaryHeader.Length + header.ExtrasLength + header.KeyLength;
        if (!isWrong && input.Length < length)
        {
            return ProtocolStep.NeedsInput;
        }

        if (!window.HasRoom)
        {
            return ProtocolStep.NeedsRoom;
        }

        consumed = Math.Min(length, input.Length);
        _slot = window.Rent();
        _state = State.Launch;
        BinaryOpcode loud = BinaryCommands.Loud(header.Opcode);
        if (header.ValueLength < 0)
        {
            EndWith(header, BinaryStatus.UnknownCommand);
        }
        else if (header.KeyLength > CommandSlot.MaxKeyLength || !BinaryCommands.IsWellFormed(loud, header))
        {
            EndWith(header, BinaryStatus.InvalidArguments);
        }
        else
        {
            Fill(header, loud, input[BinaryHeader.Length..length]);
        }

        return ProtocolStep.Took;
    }

    private void EndWith(in BinaryHeader header, BinaryStatus status)
    {
        Answer(header, status);
        _slot!.Answer = SlotAnswer.LastLine;
        _state = State.LaunchThenEnd;
    }

    private void Answer(in BinaryHeader header, BinaryStatus status)
    {
        _slot!.SetLine(TextReply.Ok);
        _slot.Binary = new BinaryRequest(header.Opcode, header.Opaque, status);
    }

    private void Fill(in BinaryHeader header, BinaryOpcode loud, ReadOnlySpan<byte> extrasAndKey)
    {
        CommandSlot slot = _slot!;
        ReadOnlySpan<byte> extras = extrasAndKey[..header.ExtrasLength],
            key = extrasAndKey[header.ExtrasLength..];
        slot.NoReply = loud != header.Opcode;
        slot.Binary = new BinaryRequest(header.Opcode, header.Opaque, BinaryStatus.Success);
        switch (loud)
        {
            case BinaryOpcode.Noop or BinaryOpcode.Version:
                Answer(header, BinaryStatus.Success);
                break;
            case BinaryOpcode.Quit:
                EndWith(header, BinaryStatus.Success);
                break;
            case BinaryOpcode.Flush when !context.Options.AllowFlushAll:
                Answer(header, BinaryStatus.AuthenticationError);
                break;
            case BinaryOpcode.Flush:
                slot.Work = SlotWork.FlushAll;
                slot.Answer = SlotAnswer.Flushed;
                uint delay = extras.IsEmpty ? 0 : BinaryPrimitives.ReadUInt32BigEndian(extras);
                slot.Terms = new CacheTerms { Expiry = delay };
                break;
            case BinaryOpcode.Stat:
                FillStatistics(header, key);
                break;
            default:
                if (BinaryAnswers.AnswerOf(loud) is not { } answer)
                {
                    Answer(header, BinaryStatus.UnknownCommand);
                    BeginGarbage(header.ValueLength);
                    break;
                }

                slot.SetKey(key);
                slot.Work = SlotWork.Cache;
                slot.Answer = answer;
                slot.Terms = BinaryCommands.TermsOf(loud, header, extras);
                if (BinaryCommands.HasValue(loud))
                {
                    BeginData(header, loud);
                }

                break;
        }
    }

    private void FillStatistics(in BinaryHeader header, ReadOnlySpan<byte> name)
    {
        StatisticsGroup? group = BinaryStatistics.GroupOf(name);
        if (group is null)
        {
            Answer(header, BinaryStatus.NotFound);
            return;
        }

        bool isDump = group == StatisticsGroup.DetailDump;
        _slot!.Work = isDump ? SlotWork.None : SlotWork.Statistics;
        _slot.Answer = isDump ? SlotAnswer.Details : SlotAnswer.Text;
        _slot.Group = group.Value;
        _slot.Form = new BinaryStatistics(header.Opaque);
    }

    private void BeginData(in BinaryHeader header, BinaryOpcode loud)
    {
        if (header.ValueLength <= context.MaxValueLength)
        {
            _data.Begin(_slot!, header.ValueLength, hasLineEnd: false);
            _state = State.Data;
            return;
        }

        // As in memcached a set that is too large removes the old item: better none than a stale one.
        context.Counters.CountTooLarge();
        Answer(header, BinaryStatus.TooLarge);
        _slot!.Work = loud == BinaryOpcode.Set ? SlotWork.Cache : SlotWork.None;
        _slot.Terms = new CacheTerms { Operation = CacheOperation.Delete };
        BeginGarbage(header.ValueLength);
    }

    private void BeginGarbage(long length)
    {
        _data.BeginGarbage(length);
        _state = State.LaunchThenGarbage;
    }

    private ProtocolStep TakeData(ReadOnlySpan<byte> input, State next, out int consumed)
    {
        if (!_data.Take(input, out consumed))
        {
            return ProtocolStep.NeedsInput;
        }

        _state = next;
        return ProtocolStep.Took;
    }

    private ProtocolStep End(ReadOnlySpan<byte> input, out int consumed)
    {
        _state = State.Ended;
        consumed = input.Length;
        return ProtocolStep.Ended;
    }

    private ProtocolStep Launch(CommandWindow window)
    {
        if (!window.TryLaunch(_slot!))
        {
            return ProtocolStep.NeedsRoom;
        }

        _slot = null;
        _state = _state switch
        {
            State.LaunchThenGarbage => State.Garbage,
            State.LaunchThenEnd => State.Ended,
            _ => State.Head,
        };
        return ProtocolStep.Took;
    }
}

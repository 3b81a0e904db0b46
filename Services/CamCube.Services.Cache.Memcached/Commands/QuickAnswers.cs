using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Protocols;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// What one client is answered: on the spot where this server has the key, from the store's memory into the buffer that
/// is sent, and later where it has not. In the client's turn only.
/// </summary>
/// <param name="turn">Whose cache is asked, and into whose output it writes.</param>
internal sealed class QuickAnswers(ServiceTurn<ICache> turn) : ICacheValueReader
{
    private CommandSlot? _answering;
    private bool _wroteHead;
    private bool _wroteValue;

    /// <summary>How answers are written; set before the first.</summary>
    public IClientProtocol? Protocol { get; set; }

    /// <summary>Whether another may be answered before it is looked what else there is to do.</summary>
    public bool MayGoOn => turn.IsInLoop && turn.MayGoOn;

    /// <summary>Does a command that nobody waits in front of, and writes its answer. False: it has to be started, and
    /// nothing was done.</summary>
    public bool TryAnswer(CommandSlot slot)
    {
        if (!turn.IsInLoop)
        {
            return false;
        }

        (_wroteHead, _wroteValue) = (false, false);
        if (slot.Work == SlotWork.Cache)
        {
            bool reads = slot.ReadsValue;
            _answering = slot;
            if (
                turn.Enter() is not { } cache
                || !cache.TryExecute(
                    slot.Terms,
                    slot.Key,
                    reads ? default : slot.Value.Written.Span,
                    reads ? this : null,
                    out CacheReply reply
                )
            )
            {
                turn.Leave();
                return false;
            }

            turn.Leave();
            if (!_wroteHead)
            {
                slot.End(reply);
            }
        }
        else if (slot.Work != SlotWork.None)
        {
            return false;
        }

        Write(slot);
        return true;
    }

    /// <summary>Answers a command that ended later.</summary>
    public void Answer(CommandSlot slot)
    {
        (_wroteHead, _wroteValue) = (false, false);
        Write(slot);
    }

    /// <summary>The command after the next will be on this key.</summary>
    public void Hint(ReadOnlySpan<byte> key) => turn.Service?.Hint(key);

    /// <inheritdoc/>
    public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset)
    {
        if (offset == 0)
        {
            (_wroteHead, _wroteValue) = (
                true,
                Protocol!.WriteHead(_answering!, reply, reply.Facts.Length, turn.Output)
            );
        }

        if (_wroteValue)
        {
            turn.Output.Write(piece);
        }
    }

    private void Write(CommandSlot slot)
    {
        ReplyBuffer output = turn.Output;
        turn.CountAnswer();
        if (!_wroteHead && Protocol!.WriteHead(slot, slot.Reply, slot.Value.Length, output))
        {
            output.Write(slot.Value.Written.Span);
            _wroteValue = true;
        }

        if (!Protocol!.WriteTail(slot, _wroteValue, output))
        {
            turn.End();
        }
    }
}

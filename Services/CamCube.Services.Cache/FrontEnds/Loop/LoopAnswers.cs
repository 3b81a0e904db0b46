using System.Runtime.Versioning;

namespace CamCube.Services.Cache.FrontEnds;

/// <summary>
/// What one client is answered: on the spot where this server has the key, from the store's memory into the buffer that
/// is sent, and later where it has not. Loop only.
/// </summary>
/// <param name="loop">Whose cache is asked, and into whose output it writes.</param>
/// <param name="mostCommands">How many commands are answered in one turn.</param>
[SupportedOSPlatform("linux")]
internal sealed class LoopAnswers(ClientLoop loop, int mostCommands) : IQuickAnswers, ICacheValueReader
{
    // Above it answers are sent before more are written.
    public const int SendThreshold = 64 << 10;

    private CommandSlot? _answering;
    private bool _wroteHead;
    private bool _wroteValue;
    private int _answered;

    /// <summary>How answers are written; set before the first.</summary>
    public IClientProtocol? Protocol { get; set; }

    /// <summary>Whether nothing more is taken from the client.</summary>
    public bool IsOver { get; set; }

    /// <summary>Whether the cache is at work: an exception is its failure, not the client's.</summary>
    public bool IsInCache { get; private set; }

    /// <summary>Whether this turn has had its commands.</summary>
    public bool HasHadTurn => _answered >= mostCommands;

    /// <inheritdoc/>
    public bool MayGoOn => !HasHadTurn && loop.Output.Length < SendThreshold && !IsOver;

    /// <summary>The next turn has begun.</summary>
    public void BeginTurn() => _answered = 0;

    /// <inheritdoc/>
    public bool TryAnswer(CommandSlot slot)
    {
        (_wroteHead, _wroteValue) = (false, false);
        if (slot.Work == SlotWork.Cache)
        {
            if (loop.Cache is not { } cache)
            {
                return false;
            }

            bool reads = slot.ReadsValue;
            _answering = slot;
            IsInCache = true;
            if (
                !cache.TryExecute(
                    slot.Terms,
                    slot.Key,
                    reads ? default : slot.Value.Written.Span,
                    reads ? this : null,
                    out CacheReply reply
                )
            )
            {
                IsInCache = false;
                return false;
            }

            IsInCache = false;
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

    /// <inheritdoc/>
    public void Hint(ReadOnlySpan<byte> key) => loop.Cache?.Hint(key);

    /// <inheritdoc/>
    public void TakeValue(in CacheReply reply, ReadOnlySpan<byte> piece, int offset)
    {
        if (offset == 0)
        {
            (_wroteHead, _wroteValue) = (
                true,
                Protocol!.WriteHead(_answering!, reply, reply.Facts.Length, loop.Output)
            );
        }

        if (_wroteValue)
        {
            loop.Output.Write(piece);
        }
    }

    /// <summary>The cache's failure has been told.</summary>
    public void LeaveCache() => IsInCache = false;

    private void Write(CommandSlot slot)
    {
        ReplyBuffer output = loop.Output;
        _answered++;
        if (!_wroteHead && Protocol!.WriteHead(slot, slot.Reply, slot.Value.Length, output))
        {
            output.Write(slot.Value.Written.Span);
            _wroteValue = true;
        }

        IsOver |= !Protocol!.WriteTail(slot, _wroteValue, output);
    }
}

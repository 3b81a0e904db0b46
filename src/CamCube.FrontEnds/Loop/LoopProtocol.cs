using System.Runtime.Versioning;
using CamCube.FrontEnds.Connections;
using CamCube.FrontEnds.Protocols;

namespace CamCube.FrontEnds.Loop;

/// <summary>A client's protocol at work, a turn at a time: within its bounds, and held to its contract. Loop
/// only.</summary>
/// <param name="protocol">The protocol.</param>
/// <param name="turn">What it works with.</param>
/// <param name="transport">Where its answers go.</param>
/// <param name="context">What the connections share.</param>
/// <param name="address">Who the client is.</param>
[SupportedOSPlatform("linux")]
internal sealed class LoopProtocol(
    IConnectionProtocol protocol,
    ConnectionTurn turn,
    LoopTransport transport,
    ListenerContext context,
    Func<string> address
)
{
    // Steps of the protocol in one turn; others are to have theirs.
    private const int MostSteps = 2_048;

    /// <summary>Whether nothing more is taken from the client.</summary>
    public bool IsOver { get; set; }

    /// <summary>Tells of the key of the first question in input, and where that is.</summary>
    public Range Announce(ReadOnlySpan<byte> input)
    {
        try
        {
            Range key = protocol.Glance(input);
            if (key.End.Value > 0)
            {
                protocol.Announce(input[key]);
            }

            return key;
        }
        catch (Exception error)
        {
            context.Charge(address(), error);
            return default;
        }
    }

    /// <summary>As <see cref="Announce"/>, of a key that was found, a little later.</summary>
    public void Hint(ReadOnlySpan<byte> key)
    {
        try
        {
            protocol.Hint(key);
        }
        catch (Exception error)
        {
            context.Charge(address(), error);
        }
    }

    /// <summary>Answers what has ended and takes from the input what can be taken.</summary>
    /// <param name="buffer">Where the input is.</param>
    /// <param name="start">Its first byte, and afterwards the first that was not consumed.</param>
    /// <param name="end">Behind its last byte.</param>
    public ProtocolStep Advance(byte[] buffer, ref int start, int end)
    {
        turn.Begin(IsOver);
        ProtocolStep result = Run(buffer, ref start, end);
        IsOver = turn.HasEnded;
        return result;
    }

    private ProtocolStep Run(byte[] buffer, ref int start, int end)
    {
        int idle = 0;
        for (int step = 0; step < MostSteps && !turn.HasHadTurn; step++)
        {
            while (!turn.HasEnded && protocol.HasAnswer)
            {
                protocol.Answer();
                if (!HasRoomToAnswer())
                {
                    return ProtocolStep.Took;
                }
            }

            if (turn.HasEnded)
            {
                return ProtocolStep.Ended;
            }

            int written = turn.Output.Length;
            ProtocolStep result = protocol.Advance(buffer.AsSpan(start, end - start), out int consumed);
            ProtocolRules.CheckConsumed(consumed, end - start);
            start += consumed;
            if (result == ProtocolStep.Took)
            {
                idle = consumed > 0 || turn.Output.Length != written ? 0 : idle + 1;
                ProtocolRules.CheckIdle(idle);
                if (!HasRoomToAnswer())
                {
                    return ProtocolStep.Took;
                }
            }
            else if (!protocol.HasAnswer)
            {
                ProtocolRules.CheckWait(result, end - start, context.MaxUnread, protocol);
                return result;
            }
        }

        return ProtocolStep.Took;
    }

    private bool HasRoomToAnswer()
    {
        if (turn.Output.Length < ConnectionTurn.SendThreshold)
        {
            return true;
        }

        transport.Send(turn.Output);
        return !transport.HasUnsent && !transport.IsGone;
    }
}

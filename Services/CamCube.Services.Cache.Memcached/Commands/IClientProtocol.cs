using CamCube.FrontEnds.Buffers;
using CamCube.FrontEnds.Protocols;

namespace CamCube.Services.Cache.Memcached.Commands;

/// <summary>
/// The language of one connection: turns bytes into commands and ended commands into bytes, and does no input or
/// output. Connection's loop only.
/// </summary>
internal interface IClientProtocol
{
    /// <summary>Whether it waits for the rest of a value. Any thread: it may be late.</summary>
    bool AwaitsValue { get; }

    /// <summary>
    /// Takes at most one step with what was received and not consumed before.
    /// </summary>
    /// <param name="input">Unconsumed bytes, maybe none; valid during the call.</param>
    /// <param name="window">Where commands go.</param>
    /// <param name="consumed">Bytes not wanted again.</param>
    ProtocolStep Advance(ReadOnlySpan<byte> input, CommandWindow window, out int consumed);

    /// <summary>
    /// Where the key of the next command is, if that can be told at a glance. A guess: nothing but speed may depend on
    /// it.
    /// </summary>
    /// <param name="input">As in <see cref="Advance"/>.</param>
    /// <param name="key">Its place in the input.</param>
    bool TryGlance(ReadOnlySpan<byte> input, out Range key)
    {
        key = default;
        return false;
    }

    /// <summary>Writes the answer up to the value; true if the value follows and then
    /// <see cref="WriteTail"/>.</summary>
    /// <param name="slot">The command: key, terms, and how it is answered.</param>
    /// <param name="reply">How it ended.</param>
    /// <param name="valueLength">Bytes of the value, wherever it is.</param>
    /// <param name="output">Where the answer goes.</param>
    bool WriteHead(CommandSlot slot, in CacheReply reply, int valueLength, ReplyBuffer output);

    /// <summary>
    /// Writes the answer behind the value, or what is left if there was none; false if the connection is to end.
    /// </summary>
    bool WriteTail(CommandSlot slot, bool hadValue, ReplyBuffer output);
}

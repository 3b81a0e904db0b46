using CamCube.FrontEnds.Protocols;
using CamCube.Services.Cache.Memcached.Binary;
using CamCube.Services.Cache.Memcached.Commands;
using CamCube.Services.Cache.Memcached.Doors;
using CamCube.Services.Cache.Memcached.Settings;
using CamCube.Services.Cache.Memcached.Text;

namespace CamCube.Services.Cache.Memcached;

/// <summary>
/// memcached on one connection: which of its protocols is spoken is told by the options or by the first byte, as
/// memcached does, and stays to the end. In the connection's turns only.
/// </summary>
internal sealed class MemcachedConnection : IConnectionProtocol
{
    private readonly MemcachedContext _context;
    private readonly ServiceTurn<ICache> _turn;
    private readonly QuickAnswers _answers;
    private readonly CommandWindow _window;
    private IClientProtocol? _protocol;

    /// <summary>A client that has said nothing yet.</summary>
    public MemcachedConnection(MemcachedContext context, ServiceTurn<ICache> turn, IQuestionOwner owner)
    {
        (_context, _turn, _answers) = (context, turn, new QuickAnswers(turn));
        ICacheDoor door = turn.IsInLoop ? new LoopDoor(turn, context.Door) : context.Door;
        _window = new CommandWindow(context, door, owner, _answers);
    }

    public bool IsReceiving => _protocol is { AwaitsValue: true };

    public int InWork => _window.Count;

    public bool HasAnswer => _window.IsHeadDone;

    public bool HasLent => _window.IsWorking;

    public ProtocolStep Advance(ReadOnlySpan<byte> input, out int consumed)
    {
        if (_protocol is null)
        {
            consumed = 0;
            if (input.IsEmpty)
            {
                return ProtocolStep.NeedsInput;
            }

            _protocol = Select(input[0]);
            _answers.Protocol = _protocol;
        }

        return _protocol.Advance(input, _window, out consumed);
    }

    public void Answer()
    {
        if (_window.TryPeekDone(out CommandSlot? slot))
        {
            _answers.Answer(slot);
            _window.Retire();
        }
    }

    public Range Glance(ReadOnlySpan<byte> input) =>
        _turn.IsWhole && _protocol is not null && _protocol.TryGlance(input, out Range key) ? key : default;

    public void Announce(ReadOnlySpan<byte> key) => _turn.Service?.Announce(key);

    public void Hint(ReadOnlySpan<byte> key) => _turn.Service?.Hint(key);

    public void Release() => _window.Release();

    private IClientProtocol Select(byte first)
    {
        if (_context.Users is { } users)
        {
            return new AuthenticatingProtocol(_context, users);
        }

        bool isBinary = _context.Options.Protocol switch
        {
            MemcachedProtocol.Ascii => false,
            MemcachedProtocol.Binary => true,
            _ => first == BinaryHeader.RequestMagic,
        };
        return isBinary ? new BinaryProtocol(_context) : new TextProtocol(_context);
    }
}

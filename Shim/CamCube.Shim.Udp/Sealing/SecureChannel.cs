namespace CamCube.Shim.Udp.Sealing;

/// <summary>
/// One end of a cable made of datagrams: makes sure that both ends have the cluster's key, agrees on keys, changes
/// them, seals frames and opens them. A step machine: it reads no clock and sends nothing itself. Not thread-safe.
/// docs/udp.md describes the protocol.
/// </summary>
/// <remarks>
/// The + end of a cable starts every handshake, the − end may ask for one. No message of a stranger, and no old message
/// of a friend, changes which keys are in use: that takes an answer to a nonce which was drawn for this handshake.
/// </remarks>
internal sealed class SecureChannel : IDisposable
{
    private const int ConfirmAttempts = 4;
    private readonly ClusterKey _key;
    private readonly Link _link;
    private readonly NonceSource _random;
    private readonly ChannelOptions _options;
    private readonly bool _isInitiator;
    private readonly TokenBucket _looks = new(200, 1_000_000);
    private readonly TokenBucket _answers = new(20, 20_000_000);
    private readonly TokenBucket _requests = new(4, 1_000_000_000);

    /// <summary>Drawn for one handshake only. The − end's waits for a + end that confirms it.</summary>
    private readonly byte[] _ownNonce = new byte[FrameFormat.NonceLength];

    /// <summary>The other end's in the handshake that is going on.</summary>
    private readonly byte[] _peerNonce = new byte[FrameFormat.NonceLength];

    /// <summary>Frames are sealed with it, unless there is none yet.</summary>
    private Session? _current;

    /// <summary>What was current before: its frames that are still on their way are opened, for a while.</summary>
    private Session? _previous;

    private long _previousEnds = long.MaxValue;

    /// <summary>At the + end: confirmed by this end, and the first frame of the other end under it makes it the current
    /// one.</summary>
    private Session? _next;

    private Step _step;
    private FrameKind _due;
    private bool _emptyDue;
    private long _retryAt;
    private long _retryNanos;
    private int _attempts;
    private long _heard;
    private long _aliveAt;
    private ulong _sealedThen;

    /// <summary>A channel without keys; it begins with a handshake.</summary>
    /// <param name="key">The cluster's key.</param>
    /// <param name="link">The link that this end is.</param>
    /// <param name="random">Where nonces come from.</param>
    /// <param name="options">When keys are changed.</param>
    /// <param name="now">Server time.</param>
    public SecureChannel(ClusterKey key, Link link, NonceSource random, ChannelOptions options, long now)
    {
        (_key, _link, _random, _options, _isInitiator) = (key, link, random, options, link.Sign() > 0);
        _heard = now;
        _random(_ownNonce);
        Begin(now);
    }

    private enum Step
    {
        /// <summary>No handshake is going on.</summary>
        Idle,

        /// <summary>The + end has sent its nonce; the − end has asked for that.</summary>
        Asking,

        /// <summary>The + end has sent both nonces.</summary>
        Confirming,
    }

    /// <summary>Whether frames can be sealed: until the first handshake they cannot.</summary>
    public bool IsReady => (_current ?? _next) is { } session && session.Sealed < _options.LastFrame;

    /// <summary>How often new keys were agreed on.</summary>
    public long Sessions { get; private set; }

    /// <summary>When the last genuine frame or answer arrived, in server time; at first the channel's
    /// beginning.</summary>
    public long HeardNanos => _heard;

    /// <summary>What the last <see cref="OpenResult.OtherLink"/> came from; Local if no server has such a
    /// link.</summary>
    public Link PeerLink { get; private set; }

    /// <summary>When <see cref="TryTakeMessage"/> has something to say at the latest, server time.</summary>
    public long Deadline =>
        _due != 0 || _emptyDue ? long.MinValue
        : _step != Step.Idle ? _retryAt
        : Math.Min(_aliveAt, NextBegin());

    /// <summary>Encrypts a frame in place.</summary>
    /// <param name="datagram">Room for <see cref="FrameFormat.HeaderLength"/> bytes, the frame, room for the
    /// tag.</param>
    /// <param name="length">The frame's length. An empty one ends at the other end's channel.</param>
    /// <param name="part">How much of the frame it is. Two parts of one frame are sealed one right after the
    /// other.</param>
    /// <returns>The datagram's length, or 0: there are no keys now.</returns>
    public int Seal(Span<byte> datagram, int length, FramePart part = FramePart.Whole)
    {
        Session? session = _current ?? _next;
        return session is null || session.Sealed >= _options.LastFrame ? 0 : session.Seal(datagram, length, part);
    }

    /// <summary>Looks at a datagram that arrived. No bytes can make it throw.</summary>
    /// <param name="datagram">The datagram; decrypted in place.</param>
    /// <param name="now">Server time.</param>
    /// <returns>If it is <see cref="OpenResult.Frame"/>, the frame stands between header and tag.</returns>
    public OpenResult Open(Span<byte> datagram, long now)
    {
        if (datagram.Length < FrameFormat.Overhead)
        {
            return OpenResult.Unauthenticated;
        }

        FrameKind kind = FrameFormat.KindOf(datagram);
        if (FrameFormat.VersionOf(datagram) != FrameFormat.Version)
        {
            bool couldBeOne =
                datagram.Length == FrameFormat.HandshakeLength && FrameFormat.VersionOf(datagram) > FrameFormat.Version;
            return couldBeOne ? OpenResult.OtherVersion : OpenResult.Unauthenticated;
        }

        return kind == FrameKind.Sealed ? OpenFrame(datagram, now)
            : datagram.Length == FrameFormat.HandshakeLength && kind is >= FrameKind.Initiate and <= FrameKind.Wanted
                ? OpenHandshake(kind, datagram, now)
            : OpenResult.Unauthenticated;
    }

    /// <summary>Writes the next message of the channel itself, if one is due.</summary>
    /// <param name="datagram">At least <see cref="FrameFormat.HandshakeLength"/> bytes.</param>
    /// <param name="now">Server time.</param>
    /// <returns>The message's length, or 0: nothing is due.</returns>
    public int TryTakeMessage(Span<byte> datagram, long now)
    {
        if (_due == 0 && !_emptyDue)
        {
            Tick(now);
        }

        if (_due != 0)
        {
            FrameKind kind = _due;
            _due = 0;
            bool own = kind is FrameKind.Initiate or FrameKind.Wanted;
            ReadOnlySpan<byte> peer = own ? [] : _peerNonce;
            ReadOnlySpan<byte> initiator = _isInitiator ? _ownNonce : peer,
                responder = _isInitiator ? peer : _ownNonce;
            FrameFormat.WriteHandshake(datagram, kind, _link, _current is not null, initiator, responder, _key);
            return FrameFormat.HandshakeLength;
        }

        if (_emptyDue)
        {
            _emptyDue = false;
            return Seal(datagram, 0);
        }

        return 0;
    }

    /// <summary>The other end may be there now, or somewhere else: what is asked is asked at once, and keys are asked
    /// for anew.</summary>
    public void Retry(long now)
    {
        if (_step == Step.Asking)
        {
            Ask(now);
        }
        else
        {
            Begin(now);
        }
    }

    /// <summary>Forgets all keys.</summary>
    public void Dispose()
    {
        _current?.Dispose();
        _previous?.Dispose();
        _next?.Dispose();
        _current = _previous = _next = null;
    }

    private OpenResult OpenFrame(Span<byte> datagram, long now)
    {
        uint id = FrameFormat.KeyIdOf(datagram);
        ForgetPrevious(now);
        if (_current is { } current && current.ReceiveId == id && current.TryOpen(datagram))
        {
            // Most frames end here.
        }
        else if (_next is { } next && next.ReceiveId == id && next.TryOpen(datagram))
        {
            _next = null;
            Promote(next, now);
        }
        else if (_previous is not { } previous || previous.ReceiveId != id || !previous.TryOpen(datagram))
        {
            return OpenResult.Unauthenticated;
        }

        _heard = now;
        return datagram.Length == FrameFormat.Overhead ? OpenResult.Taken : OpenResult.Frame;
    }

    private OpenResult OpenHandshake(FrameKind kind, ReadOnlySpan<byte> datagram, long now)
    {
        if (FrameFormat.FingerprintOf(datagram) != _key.Fingerprint)
        {
            return OpenResult.OtherKey;
        }

        if (!_looks.TryTake(now))
        {
            return OpenResult.TooMany;
        }

        if (!_key.IsProved(FrameFormat.ProvedOf(datagram), FrameFormat.ProofOf(datagram)))
        {
            return OpenResult.Unauthenticated;
        }

        byte link = FrameFormat.LinkOf(datagram);
        if (link != (byte)_link.Opposite())
        {
            PeerLink = link < Links.Cables ? (Link)link : Link.Local;
            return OpenResult.OtherLink;
        }

        return kind switch
        {
            FrameKind.Initiate => Initiated(datagram, now),
            FrameKind.Respond => Responded(datagram, now),
            FrameKind.Confirm => Confirmed(datagram, now),
            _ => Requested(datagram, now),
        };
    }

    /// <summary>At the − end. Anybody may have sent it, and long ago: the answer says nothing secret and nothing is
    /// remembered.</summary>
    private OpenResult Initiated(ReadOnlySpan<byte> datagram, long now)
    {
        if (!_answers.TryTake(now))
        {
            return OpenResult.TooMany;
        }

        FrameFormat.InitiatorNonceOf(datagram).CopyTo(_peerNonce);
        _due = FrameKind.Respond;
        return OpenResult.Taken;
    }

    /// <summary>At the + end. The nonce that was drawn for this handshake is in it, so the other end is there
    /// now.</summary>
    private OpenResult Responded(ReadOnlySpan<byte> datagram, long now)
    {
        ReadOnlySpan<byte> initiator = FrameFormat.InitiatorNonceOf(datagram),
            responder = FrameFormat.ResponderNonceOf(datagram);
        if (_step != Step.Asking || !initiator.SequenceEqual(_ownNonce))
        {
            // An answer that came twice says nothing new.
            return (_next ?? _current)?.IsOf(initiator, responder) == true
                ? OpenResult.Taken
                : OpenResult.Unauthenticated;
        }

        responder.CopyTo(_peerNonce);
        _next?.Dispose();
        _next = new Session(_key, true, _ownNonce, _peerNonce, now);
        _heard = now;
        _attempts = 0;
        if (!FrameFormat.HasKeys(datagram))
        {
            // It has begun anew and could open nothing under the old keys.
            Retire(now);
        }

        Enter(Step.Confirming, FrameKind.Confirm, now);
        return OpenResult.Taken;
    }

    /// <summary>At the − end. The nonce that waits here is in it, so the other end is there now; the nonce is used
    /// up.</summary>
    private OpenResult Confirmed(ReadOnlySpan<byte> datagram, long now)
    {
        ReadOnlySpan<byte> initiator = FrameFormat.InitiatorNonceOf(datagram),
            responder = FrameFormat.ResponderNonceOf(datagram);
        if (responder.SequenceEqual(_ownNonce))
        {
            var session = new Session(_key, false, initiator, responder, now);
            _random(_ownNonce);
            _heard = now;
            Promote(session, now);
        }
        else if (
            _current is null
            || !_current.IsOf(initiator, responder)
            || _current.Sealed >= _options.LastFrame
            || !_answers.TryTake(now)
        )
        {
            return OpenResult.Unauthenticated;
        }

        // The other end goes on with the keys once it has seen a frame under them.
        _emptyDue = true;
        return OpenResult.Taken;
    }

    /// <summary>At the + end. It may be an old message: all it does is start a handshake, and not often.</summary>
    private OpenResult Requested(ReadOnlySpan<byte> datagram, long now)
    {
        if (_step == Step.Confirming && FrameFormat.ResponderNonceOf(datagram).SequenceEqual(_peerNonce))
        {
            // The nonce waits there still: the confirmation did not arrive.
            if (_answers.TryTake(now))
            {
                Enter(Step.Confirming, FrameKind.Confirm, now);
            }

            return OpenResult.Taken;
        }

        if (!_requests.TryTake(now))
        {
            return OpenResult.TooMany;
        }

        // If this end asks already, it asks again with the same nonce, since the answer may be on its way.
        Retry(now);
        return OpenResult.Taken;
    }

    private void Promote(Session session, long now)
    {
        Retire(now);
        _current = session;
        _step = Step.Idle;
        _aliveAt = now + (_options.SilenceNanos / 3);
        _sealedThen = 0;
        Sessions++;
    }

    private void Retire(long now)
    {
        if (_current is not null)
        {
            _previous?.Dispose();
            (_previous, _previousEnds) = (_current, now + _options.LateNanos);
            _current = null;
        }
    }

    /// <summary>Once the other end has had time to change, who held frames back delivers none of them.</summary>
    private void ForgetPrevious(long now)
    {
        if (_previousEnds <= now)
        {
            _previous?.Dispose();
            (_previous, _previousEnds) = (null, long.MaxValue);
        }
    }

    /// <summary>Starts a handshake at the + end, or asks for one at the − end.</summary>
    private void Begin(long now)
    {
        if (_isInitiator)
        {
            _random(_ownNonce);
        }

        Ask(now);
    }

    private void Ask(long now)
    {
        _retryNanos = _options.RetryNanos;
        Enter(Step.Asking, _isInitiator ? FrameKind.Initiate : FrameKind.Wanted, now);
    }

    private void Enter(Step step, FrameKind message, long now)
    {
        _step = step;
        _due = message;

        // Both ends of a cable and all cables of a cube would try again together, for ever.
        Span<byte> jitter = stackalloc byte[2];
        _random(jitter);
        _retryAt = now + _retryNanos + (_retryNanos * BitConverter.ToUInt16(jitter) >> 18);
    }

    private void Tick(long now)
    {
        ForgetPrevious(now);
        if (_step == Step.Idle)
        {
            if (NextBegin() <= now)
            {
                Begin(now);
            }
            else if (_aliveAt <= now)
            {
                // Who has nothing to say says so, so that only a cable that carries nothing is silent.
                _emptyDue = _current!.Sealed == _sealedThen;
                _sealedThen = _current.Sealed + (_emptyDue ? 1UL : 0);
                _aliveAt = now + (_options.SilenceNanos / 3);
            }
        }
        else if (_retryAt <= now)
        {
            _retryNanos = Math.Min(_retryNanos * 2, _options.LongestRetryNanos);
            if (_step == Step.Confirming && ++_attempts < ConfirmAttempts)
            {
                Enter(Step.Confirming, FrameKind.Confirm, now);
            }
            else if (_step == Step.Confirming)
            {
                Begin(now);
            }
            else
            {
                Enter(Step.Asking, _isInitiator ? FrameKind.Initiate : FrameKind.Wanted, now);
            }
        }
    }

    /// <summary>When the next handshake is to begin while none is going on.</summary>
    private long NextBegin()
    {
        if (_current is not { } current || current.Sealed >= _options.RekeyFrames)
        {
            return long.MinValue;
        }

        return Math.Min(current.BornNanos + _options.RekeyNanos, _heard + _options.SilenceNanos);
    }
}

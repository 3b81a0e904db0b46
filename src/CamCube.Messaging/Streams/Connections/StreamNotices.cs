namespace CamCube.Messaging.Streams.Connections;

/// <summary>What the handler is still to be told: after the callback in which it happened. Loop only.</summary>
internal sealed class StreamNotices(IServer server, IStreamNews news, Action afterEach)
{
    private readonly Queue<StreamNotice> _notices = new();
    private bool _isTelling;

    /// <summary>The handler, and who waits, is told after this callback.</summary>
    public void Add(StreamBody stream, StreamNews what)
    {
        stream.Holds++;
        _notices.Enqueue(new StreamNotice(stream, what));
        Begin();
    }

    /// <summary>Nobody is told any more.</summary>
    public void Clear()
    {
        while (_notices.TryDequeue(out StreamNotice notice))
        {
            notice.Stream.LetGo();
        }
    }

    private void Begin()
    {
        if (!_isTelling)
        {
            _isTelling = true;
            server.Loop.Post(static notices => ((StreamNotices)notices!).TellAll(), this);
        }
    }

    // What is told may lead to more, which is told next time: others of the server go on between.
    private void TellAll()
    {
        _isTelling = false;
        for (int n = _notices.Count; n > 0 && _notices.TryDequeue(out StreamNotice notice); n--)
        {
            if (!notice.Stream.IsForgotten)
            {
                news.Tell(notice.Stream, notice.News);
            }

            notice.Stream.LetGo();
            afterEach();
        }

        if (_notices.Count > 0)
        {
            Begin();
        }
    }
}

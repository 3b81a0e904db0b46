using CamCube.Messaging.Streams.Wire;

namespace CamCube.Messaging.Streams.Connections;

/// <summary>The streams of a connection that may have bytes to send: those of the lowest priority, one after the other.
/// Loop only.</summary>
internal sealed class SendTurns
{
    private readonly Queue<StreamBody>?[] _queues = new Queue<StreamBody>?[StreamParameters.Priorities];
    private uint _filled;

    public bool IsEmpty => _filled == 0;

    /// <summary>It has something to send; nothing happens if it stands in line.</summary>
    public void Add(StreamBody stream)
    {
        if (!stream.IsSending)
        {
            stream.IsSending = true;
            stream.Holds++;
            Enqueue(stream);
        }
    }

    /// <summary>Its priority has changed.</summary>
    public void Move(StreamBody stream)
    {
        if (stream.IsSending)
        {
            stream.Holds++;
            Enqueue(stream);
        }
    }

    /// <summary>Writes bytes of one stream after the other. Returns how many frames.</summary>
    public int Write(ConnectionPath path, ref FrameWriter writer)
    {
        int frames = 0;
        while (_filled != 0 && writer.Room > FrameWriter.FirstLength)
        {
            int priority = System.Numerics.BitOperations.TrailingZeroCount(_filled);
            Queue<StreamBody> queue = _queues[priority]!;
            StreamBody stream = queue.Dequeue();
            _filled &= queue.Count == 0 ? ~(1u << priority) : uint.MaxValue;
            if (stream.Priority != priority)
            {
                // It stands where it belongs, too.
                stream.LetGo();
                continue;
            }

            frames += stream.WriteData(path, ref writer);
            if (stream.HasData)
            {
                Enqueue(stream);
                continue;
            }

            LetGo(stream);
        }

        return frames;
    }

    /// <summary>It leaves the connection. Rare: all are looked at.</summary>
    public void Remove(StreamBody stream)
    {
        for (int priority = 0; priority < _queues.Length && stream.IsSending; priority++)
        {
            Queue<StreamBody>? queue = _queues[priority];
            for (int n = queue?.Count ?? 0; n > 0; n--)
            {
                StreamBody next = queue!.Dequeue();
                if (next == stream)
                {
                    stream.LetGo();
                }
                else
                {
                    queue.Enqueue(next);
                }
            }

            _filled &= queue is { Count: > 0 } ? uint.MaxValue : ~(1u << priority);
        }

        stream.IsSending = false;
    }

    /// <summary>Nobody stands in line any more.</summary>
    public void Clear()
    {
        for (int i = 0; i < _queues.Length; i++)
        {
            while (_queues[i] is { } queue && queue.TryDequeue(out StreamBody? stream))
            {
                LetGo(stream);
            }
        }

        _filled = 0;
    }

    private static void LetGo(StreamBody stream)
    {
        stream.IsSending = false;
        stream.LetGo();
    }

    private void Enqueue(StreamBody stream)
    {
        (_queues[stream.Priority] ??= new Queue<StreamBody>()).Enqueue(stream);
        _filled |= 1u << stream.Priority;
    }
}

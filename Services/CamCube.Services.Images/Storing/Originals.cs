using System.Buffers;
using CamCube.Services.KeyValue;

namespace CamCube.Services.Images.Storing;

/// <summary>
/// Originals, in the key-value store. A deletion leaves a record for a while: every change names the version in whose
/// place it comes, so one that is late, because its server stood still, finds another version there, and not nothing.
/// Loop only.
/// </summary>
internal sealed class Originals(IServer server, Dependency<IKeyValueStore> store, TimeSpan deletionMemory)
{
    /// <summary>Servers that keep each original.</summary>
    public int CopiesOf(int table) => store.IsAvailable ? store.Value.CopiesOf(table) : 0;

    /// <summary>What is there.</summary>
    public async ValueTask<Found> FindAsync(ImagePlace place)
    {
        if (!store.IsAvailable)
        {
            return new Found(ImageStatus.Unavailable, 0, 0, default);
        }

        var metadata = new ArrayBufferWriter<byte>(ImageRecord.Length);
        KeyValueAnswer answer = await store.Value.GetAsync(place.Stored, metadata: metadata);
        return FoundOf(answer, metadata.WrittenMemory);
    }

    /// <summary>Which version is there, without the disk: Done, and nothing is known of what it is, or why it cannot be
    /// told.</summary>
    public async ValueTask<ImageAnswer> VersionOfAsync(ImagePlace place)
    {
        if (!store.IsAvailable)
        {
            return new ImageAnswer(ImageStatus.Unavailable);
        }

        KeyValueAnswer answer = await store.Value.GetAsync(place.Stored);
        return new ImageAnswer(StatusOf(answer.Status), answer.Version);
    }

    /// <summary>Begins to read an original; null: the store does not run here.</summary>
    public async ValueTask<(Found Found, IKeyValueReader? Reader)> OpenAsync(ImagePlace place)
    {
        if (!store.IsAvailable)
        {
            return (new Found(ImageStatus.Unavailable, 0, 0, default), null);
        }

        IKeyValueReader reader = await store.Value.OpenReadAsync(place.Stored);
        return (FoundOf(reader.Answer, reader.Metadata), reader);
    }

    /// <summary>Reads an original as a whole.</summary>
    /// <param name="place">Which.</param>
    /// <param name="version">Of which version.</param>
    /// <param name="into">As long as it.</param>
    /// <param name="untilNanos">When it is of no use any more: of the store each piece has a time of its own.</param>
    /// <returns>Done, or why not; Conflict: another version is there.</returns>
    public async ValueTask<ImageStatus> ReadAsync(ImagePlace place, ulong version, Memory<byte> into, long untilNanos)
    {
        (Found found, IKeyValueReader? reader) = await OpenAsync(place);
        using IKeyValueReader? ends = reader;
        if (reader is null || !found.IsKnown)
        {
            return found.Status;
        }

        if (found.Version != version || found.Length != into.Length)
        {
            return ImageStatus.Conflict;
        }

        int done = 0;
        while (server.NowNanos < untilNanos)
        {
            KeyValuePart part = await reader.ReadAsync();
            if (part.Status != KeyValueStatus.Done)
            {
                return StatusOf(part.Status);
            }

            if (part.Bytes.IsEmpty)
            {
                return done == into.Length ? ImageStatus.Done : ImageStatus.DataAway;
            }

            part.Bytes.CopyTo(into[done..]);
            done += part.Bytes.Length;
        }

        return ImageStatus.Unavailable;
    }

    /// <summary>Whether an original has these bytes. False also if it cannot be read now.</summary>
    /// <param name="place">Which.</param>
    /// <param name="version">Of which version.</param>
    /// <param name="picture">The bytes.</param>
    /// <param name="untilNanos">As above.</param>
    public async ValueTask<bool> HasAsync(
        ImagePlace place,
        ulong version,
        ReadOnlyMemory<byte> picture,
        long untilNanos
    )
    {
        (Found found, IKeyValueReader? reader) = await OpenAsync(place);
        using IKeyValueReader? ends = reader;
        if (reader is null || found.Version != version || found.Length != picture.Length)
        {
            return false;
        }

        int same = 0;
        while (server.NowNanos < untilNanos)
        {
            KeyValuePart part = await reader.ReadAsync();
            if (part.Status != KeyValueStatus.Done || part.Bytes.IsEmpty)
            {
                return part.Status == KeyValueStatus.Done && same == picture.Length;
            }

            if (!picture.Span[same..].StartsWith(part.Bytes.Span))
            {
                return false;
            }

            same += part.Bytes.Length;
        }

        return false;
    }

    /// <summary>Puts an original in the place of a version.</summary>
    public async ValueTask<ImageAnswer> PutAsync(
        ImagePlace place,
        ReadOnlyMemory<byte> picture,
        ulong expected,
        ImageRecord record
    )
    {
        if (!store.IsAvailable)
        {
            return new ImageAnswer(ImageStatus.Unavailable);
        }

        KeyValueAnswer answer = await store.Value.PutAsync(
            place.Stored,
            picture,
            new KeyValuePut { Condition = ConditionOf(expected), Metadata = record.ToBytes() }
        );
        return new ImageAnswer(StatusOf(answer.Status), answer.Version);
    }

    /// <summary>Puts a deletion in the place of a version.</summary>
    public async ValueTask<ImageAnswer> DeleteAsync(ImagePlace place, ulong expected, Calls.RequestId request)
    {
        if (!store.IsAvailable)
        {
            return new ImageAnswer(ImageStatus.Unavailable);
        }

        KeyValueAnswer answer = await store.Value.PutAsync(
            place.Stored,
            default,
            new KeyValuePut
            {
                Condition = ConditionOf(expected),
                Metadata = ImageRecord.DeletionBy(request),
                Expires = deletionMemory,
            }
        );
        return new ImageAnswer(StatusOf(answer.Status), answer.Version);
    }

    /// <summary>What an answer of the store means here.</summary>
    public static ImageStatus StatusOf(KeyValueStatus status) =>
        status switch
        {
            KeyValueStatus.Done => ImageStatus.Done,
            KeyValueStatus.NotFound => ImageStatus.NotFound,
            KeyValueStatus.Conflict => ImageStatus.Conflict,
            KeyValueStatus.TooLarge => ImageStatus.TooLarge,
            KeyValueStatus.Full => ImageStatus.Full,
            KeyValueStatus.DataAway => ImageStatus.DataAway,
            KeyValueStatus.Unknown => ImageStatus.Unknown,
            _ => ImageStatus.Unavailable,
        };

    private static KeyValueCondition ConditionOf(ulong expected) =>
        expected == 0 ? KeyValueCondition.Absent : KeyValueCondition.Is(expected);

    // What somebody else has put there is no image, and gives way to one.
    private static Found FoundOf(in KeyValueAnswer answer, ReadOnlyMemory<byte> metadata) =>
        answer.Status is not (KeyValueStatus.Done or KeyValueStatus.TooLarge)
            ? new Found(StatusOf(answer.Status), 0, 0, default)
            : new Found(
                ImageRecord.Read(metadata.Span) is null ? ImageStatus.NotFound : ImageStatus.Done,
                answer.Version,
                answer.Length,
                metadata
            );
}

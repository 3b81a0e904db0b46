using CamCube.Calls;
using CamCube.Messaging;
using CamCube.Services.Images.Counting;
using CamCube.Services.Images.Pictures;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Services.Images.Storing;
using CamCube.Services.Images.Wire;

namespace CamCube.Services.Images.Roots;

/// <summary>
/// Pictures at the server of their names: looked at, their variants made, the original stored, the variants cached. A
/// request names the version in whose place its picture comes, so of all attempts, at whatever servers, one at most
/// changes something; who finds its own request in the store has been served. Loop only.
/// </summary>
internal sealed class StoreSide(
    IServer server,
    ImagesOptions options,
    MessageChannel<ImagesHeader> channel,
    Originals originals,
    VariantSide variants,
    Thumbnails thumbnails,
    ImagesCounters counters
)
{
    private const int Remembered = 4_096;

    // What the key-value store does not know yet it knows within so many looks.
    private const int Looks = 10;
    private readonly Dictionary<RequestId, StoreJob> _jobs = [];
    private readonly Dictionary<RequestId, ImageAnswer> _answers = [];
    private readonly Queue<RequestId> _order = new();
    private readonly string[] _names = [.. options.Made.Select(static variant => variant.Name)];

    /// <summary>Pictures that are being stored.</summary>
    public int Jobs => _jobs.Count;

    /// <summary>A mistake that is made, for tests.</summary>
    public ImagesMistake Mistake { get; set; }

    /// <summary>Stores a picture of a caller on this server.</summary>
    public async ValueTask<ImageAnswer> StoreAsync(StoreRequest request, ImagePlace place, ReadOnlyMemory<byte> picture)
    {
        var job = new StoreJob(request, place, picture) { BeganNanos = server.NowNanos };
        if (!TryBegin(job))
        {
            return new ImageAnswer(ImageStatus.Busy);
        }

        // What it throws is its caller's, who may be another service: this one goes on.
        try
        {
            return await DoAsync(job);
        }
        finally
        {
            _jobs.Remove(job.Id);
        }
    }

    /// <summary>A picture of another server, or a question what became of it. False: it is none.</summary>
    public bool OnMessage(in IncomingMessage<ImagesHeader> message)
    {
        ulong question = message.Header.Question;
        if (StoreRequest.TryRead(message.Content, out int head) is not { } request)
        {
            return false;
        }

        (Coordinate Source, ulong Question) asker = (message.Source, question);
        if (_answers.TryGetValue(request.Id, out ImageAnswer earlier))
        {
            Answer(asker, earlier);
        }
        else if (_jobs.TryGetValue(request.Id, out StoreJob? running))
        {
            running.Asker = asker;
            Say(asker, ImagesKind.Working);
        }
        else if (message.Header.Kind == ImagesKind.Poll)
        {
            Poll(request, asker);
        }
        else
        {
            Begin(message, request, head, asker);
        }

        return true;
    }

    private void Poll(StoreRequest request, (Coordinate Server, ulong Question) asker)
    {
        if (channel.IsArriving(asker.Question, static (id, h) => h.Question == id && h.Kind == ImagesKind.Store))
        {
            Say(asker, ImagesKind.Working);
            return;
        }

        // Another server may have done it, or this one before it was started again.
        server.Loop.Run(async () =>
        {
            var place = ImagePlace.Of(request.Name, options.Table);
            Found found = await originals.FindAsync(place);
            if (found.Record is { } record && record.Request == request.Id)
            {
                Answer(asker, await variants.LookAsync(place, record.ToAnswer(found.Version, found.Length)));
            }
            else if (found.IsKnown)
            {
                Say(asker, ImagesKind.Resend);
            }
        });
    }

    private void Begin(
        in IncomingMessage<ImagesHeader> message,
        StoreRequest request,
        int head,
        (Coordinate Server, ulong Question) asker
    )
    {
        if (!server.Memory.TryClaim("pictures", message.Content.Length, out IMemoryClaim? claim))
        {
            counters.Busy.Add();
            Refuse(request.Id, asker);
            return;
        }

        OwnedBytes owned = channel.TakeContent(message);
        var job = new StoreJob(request, ImagePlace.Of(request.Name, options.Table), owned.Memory[head..])
        {
            Asker = asker,
            Owned = owned,
            Claim = claim,
            BeganNanos = server.NowNanos,
        };
        if (!TryBegin(job))
        {
            Refuse(request.Id, asker);
            owned.Return();
            claim.Release();
            return;
        }

        server.Loop.Run(() => RunAsync(job));
    }

    private async ValueTask RunAsync(StoreJob job)
    {
        ImageAnswer answer = await DoAsync(job);
        _jobs.Remove(job.Id);
        job.Owned.Return();
        job.Claim?.Release();

        Remember(job.Id, answer);
        Answer(job.Asker, answer);
    }

    private void Refuse(RequestId id, (Coordinate Server, ulong Question) asker)
    {
        var answer = new ImageAnswer(ImageStatus.Busy);
        Remember(id, answer);
        Answer(asker, answer);
    }

    private bool TryBegin(StoreJob job)
    {
        if (_jobs.Count >= options.Jobs)
        {
            // A service that was stopped in the middle of an answer never gives it.
            long before = server.NowNanos - (4 * (long)options.Timeout.TotalNanoseconds);
            foreach (RequestId old in _jobs.Values.Where(j => j.BeganNanos < before).Select(j => j.Id).ToArray())
            {
                _jobs.Remove(old);
            }
        }

        bool isBegun = _jobs.Count < options.Jobs && _jobs.TryAdd(job.Id, job);
        counters.Busy.Add(isBegun ? 0 : 1);
        return isBegun;
    }

    private async ValueTask<ImageAnswer> DoAsync(StoreJob job)
    {
        long untilNanos = job.BeganNanos + (long)options.Timeout.TotalNanoseconds;
        Found found = await originals.FindAsync(job.Place);
        if (SettledBy(found, job) is { } settled)
        {
            return await variants.LookAsync(job.Place, settled);
        }

        if (
            found.Record is { } there
            && found.Length == job.Picture.Length
            && await originals.HasAsync(job.Place, found.Version, job.Picture, untilNanos)
        )
        {
            counters.Unchanged.Add();
            return await variants.LookAsync(job.Place, there.ToAnswer(found.Version, found.Length));
        }

        PictureFault fault = PictureHeader.Read(job.Picture.Span, options.Limits, out PictureHeader header);
        if (fault != PictureFault.None)
        {
            counters.Refused.Add();
            return new ImageAnswer(PictureStatuses.Of(fault));
        }

        if (server.NowNanos >= untilNanos)
        {
            // Nobody waits for it any more, and nothing of it was done.
            counters.Busy.Add();
            return new ImageAnswer(ImageStatus.Busy);
        }

        PictureResult made = await variants.MakeAsync(header, job.Picture, job.BeganNanos);
        ImageStatus could = PictureStatuses.Of(made.Status);
        if (could is not (ImageStatus.Done or ImageStatus.NoWorkers))
        {
            counters.Refused.Add(could == ImageStatus.Undecodable ? 1 : 0);
            counters.Busy.Add(could == ImageStatus.Busy ? 1 : 0);
            return new ImageAnswer(could) { Words = made.Text };
        }

        var record = new ImageRecord(header, job.Id);
        ImageAnswer stored =
            Mistake == ImagesMistake.AnswersEarly
                ? PutLater(job, record)
                : await originals.PutAsync(job.Place, job.Picture, job.Request.Expected, record);
        stored = stored.Status switch
        {
            ImageStatus.Done => record.ToAnswer(stored.Version, job.Picture.Length),
            ImageStatus.Conflict or ImageStatus.Unknown => await SettleAsync(job, stored.Status),
            _ => stored,
        };
        if (stored.Status != ImageStatus.Done)
        {
            return stored;
        }

        counters.Stored.Add();
        IReadOnlyList<Variant> done = could == ImageStatus.Done ? made.Variants : [];
        bool isWhole = await variants.KeepAsync(job.Place, stored.Version, done);
        if (found.Record is not null && Mistake == ImagesMistake.None)
        {
            server.Loop.Run(() => thumbnails.DropAsync(job.Place, found.Version, _names));
        }

        return stored with
        {
            IsPending = !isWhole,
        };
    }

    private ImageAnswer PutLater(StoreJob job, ImageRecord record)
    {
        byte[] copy = job.Picture.ToArray();
        server.Loop.Run(async () => await originals.PutAsync(job.Place, copy, job.Request.Expected, record));
        return new ImageAnswer(ImageStatus.Done, job.Request.Expected + 1);
    }

    // Null: it has to be done.
    private ImageAnswer? SettledBy(in Found found, StoreJob job)
    {
        if (!found.IsKnown)
        {
            return new ImageAnswer(found.Status);
        }

        if (found.Record is { } record && record.Request == job.Id)
        {
            return record.ToAnswer(found.Version, found.Length);
        }

        return found.Version != job.Request.Expected ? new ImageAnswer(ImageStatus.Conflict, found.ImageVersion) : null;
    }

    // The store has refused the change, perhaps because another attempt has made it; or does not know what came of it.
    private async ValueTask<ImageAnswer> SettleAsync(StoreJob job, ImageStatus status)
    {
        for (int i = 0; i < Looks; i++)
        {
            Found found = await originals.FindAsync(job.Place);
            if (found.IsKnown && SettledBy(found, job) is { } settled)
            {
                return await variants.LookAsync(job.Place, settled);
            }

            // Its own version is there yet: it may come.
            if (!await server.DelayAsync(options.Silence))
            {
                break;
            }
        }

        return new ImageAnswer(status == ImageStatus.Conflict ? ImageStatus.Unavailable : ImageStatus.Unknown);
    }

    // Also that it was not done: a copy of the message that comes later must not be done then.
    private void Remember(RequestId id, in ImageAnswer answer)
    {
        if (_answers.TryAdd(id, answer))
        {
            _order.Enqueue(id);
            if (_order.Count > Remembered)
            {
                _answers.Remove(_order.Dequeue());
            }
        }
    }

    private void Answer((Coordinate Server, ulong Question) asker, in ImageAnswer answer)
    {
        if (asker.Question != 0)
        {
            var header = new ImagesHeader { Question = asker.Question, Kind = ImagesKind.Answer };
            channel.Send(header, AnswerFormat.ToBytes(answer), default, asker.Server);
        }
    }

    private void Say((Coordinate Server, ulong Question) asker, ImagesKind kind) =>
        channel.Send(new ImagesHeader { Question = asker.Question, Kind = kind }, default, default, asker.Server);
}

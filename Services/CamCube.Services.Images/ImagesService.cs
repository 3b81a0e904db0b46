using System.Buffers;
using System.Text;
using CamCube.Messaging;
using CamCube.Services.Cache;
using CamCube.Services.Images.Asking;
using CamCube.Services.Images.Counting;
using CamCube.Services.Images.Pictures;
using CamCube.Services.Images.Roots;
using CamCube.Services.Images.Storing;
using CamCube.Services.Images.Wire;
using CamCube.Services.KeyValue;
using CamCube.Workers;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.Images;

/// <summary>
/// The image store (HPDC §5.3): an original goes once through the cube, to the server of its name; its variants are
/// made there, by processes of their own; the key-value store keeps the original, the cache the variants.
/// docs/images.md says what is guaranteed. Loop only.
/// </summary>
[CamCubeService(0x01A0, "images", Header = typeof(ImagesHeader))]
public sealed class ImagesService : CamCubeService, IImageStore, IMessageHandler<ImagesHeader>
{
    private readonly IServer _server;
    private readonly ImagesOptions _options;
    private readonly PictureWorkers _workers;
    private readonly MessageChannel<ImagesHeader> _channel;
    private readonly Originals _originals;
    private readonly Thumbnails _thumbnails;
    private readonly VariantSide _variants;
    private readonly StoreSide _stores;
    private readonly AskingSide _asking;
    private readonly ImagesCounters _counters;
    private readonly HashSet<(Coordinate Server, ulong Question)> _fetching = [];

    /// <summary>The image store of one server.</summary>
    /// <param name="server">The server.</param>
    /// <param name="options">Settings, valid.</param>
    /// <param name="store">Keeps originals.</param>
    /// <param name="cache">Keeps variants; may be missing.</param>
    /// <param name="logger">Is told of the workers.</param>
    public ImagesService(
        IServer server,
        ImagesOptions options,
        Dependency<IKeyValueStore> store,
        [OptionalService] Dependency<ICache> cache,
        ILogger<ImagesService> logger
    )
        : this(
            server,
            options,
            store,
            cache,
            PictureWorkers.Open(WorkersOf(options), line => ImagesLog.WorkersSaid(logger, line))
        ) { }

    internal ImagesService(
        IServer server,
        ImagesOptions options,
        Dependency<IKeyValueStore> store,
        Dependency<ICache> cache,
        PictureWorkers workers
    )
    {
        (_server, _options, _workers) = (server, options, workers);
        _counters = new ImagesCounters(server.Counters);
        _channel = new MessageChannel<ImagesHeader>(
            server,
            new MessageOptions
            {
                MaxLength = options.MostBytes + StoreRequest.MostHead,
                AssemblyBytes = (int)Math.Min(options.ArrivalMemory, int.MaxValue),
                KeptBytes = (int)Math.Min(options.ArrivalMemory, int.MaxValue),
            },
            this
        );
        _originals = new Originals(server, store, options.DeletionMemory);
        _thumbnails = new Thumbnails(cache);
        _variants = new VariantSide(server, options, _originals, _thumbnails, workers, _counters);
        _stores = new StoreSide(server, options, _channel, _originals, _variants, _thumbnails, _counters);
        _asking = new AskingSide(server, options, _channel, _originals, _stores, _variants, _counters);
        Variants = [.. options.Made.Select(static variant => variant.Name)];
    }

    /// <inheritdoc/>
    public IReadOnlyList<string> Variants { get; }

    /// <inheritdoc/>
    public int MostBytes => _options.MostBytes;

    /// <summary>Work that is open here.</summary>
    internal (int Asked, int Stored, int Made, int Arriving) Open =>
        (_asking.Open, _stores.Jobs, _variants.Making, _channel.Arriving);

    /// <summary>A mistake that it makes, for tests; set before it starts.</summary>
    internal ImagesMistake Mistake
    {
        set => (_stores.Mistake, _variants.Mistake) = (value, value);
    }

    /// <summary>What is counted.</summary>
    internal ImagesCounters Counters => _counters;

    /// <inheritdoc/>
    public async ValueTask<ImageAnswer> PutAsync(string name, ReadOnlyMemory<byte> picture, ImageCondition condition)
    {
        if (ImageName.WrongOf(name) is { } wrong)
        {
            return new ImageAnswer(ImageStatus.BadName) { Words = wrong };
        }

        // What is none need not travel; the server of the name looks again.
        ImageStatus could = PictureStatuses.Of(
            Pictures.Formats.PictureHeader.Read(picture.Span, _options.Limits, out _)
        );
        if (could != ImageStatus.Done)
        {
            _counters.Refused.Add();
            return new ImageAnswer(could);
        }

        return await _asking.PutAsync(PlaceOf(name), picture, condition);
    }

    /// <inheritdoc/>
    public async ValueTask<ImageAnswer> FindAsync(string name) =>
        ImageName.WrongOf(name) is { } wrong
            ? new ImageAnswer(ImageStatus.BadName) { Words = wrong }
            : (await _originals.FindAsync(PlaceOf(name))).ToAnswer();

    /// <inheritdoc/>
    public async ValueTask<ImageInfo> DescribeAsync(string name)
    {
        ImageAnswer image = await FindAsync(name);
        if (image.Status == ImageStatus.BadName)
        {
            return new ImageInfo(image);
        }

        ImagePlace place = PlaceOf(name);
        List<ImageVariantInfo> variants = [];
        for (int i = 0; i < Variants.Count && image.Status == ImageStatus.Done; i++)
        {
            ImageAnswer? ready = await _thumbnails.InspectAsync(place, image.Version, Variants[i]);
            variants.Add(
                new ImageVariantInfo(Variants[i], ready is not null)
                {
                    MediaType = ready?.MediaType,
                    Width = ready?.Width ?? 0,
                    Height = ready?.Height ?? 0,
                    Length = ready?.Length ?? 0,
                }
            );
        }

        var servers = new Coordinate[Math.Min(_originals.CopiesOf(_options.Table), _server.Shape.Count)];
        int live = _server.Topology.GetServersForKey(place.Key, servers);
        return new ImageInfo(image)
        {
            Key = place.Key,
            Root = _server.Topology.RootOf(place.Key),
            Servers = servers[..live],
            Variants = variants,
            Workers = _workers.Facts,
        };
    }

    /// <inheritdoc/>
    public async ValueTask<IImageReader> OpenReadAsync(string name)
    {
        if (ImageName.WrongOf(name) is not null)
        {
            return new ImageReader(new Found(ImageStatus.BadName, 0, 0, default), null);
        }

        (Found found, IKeyValueReader? reader) = await _originals.OpenAsync(PlaceOf(name));
        return new ImageReader(found, reader);
    }

    /// <inheritdoc/>
    public async ValueTask<ImageAnswer> GetVariantAsync(string name, string variant, IBufferWriter<byte> into)
    {
        ArgumentNullException.ThrowIfNull(into);
        int number = Array.FindIndex(_options.Made, made => made.Name == variant);
        return ImageName.WrongOf(name) is { } wrong ? new ImageAnswer(ImageStatus.BadName) { Words = wrong }
            : number < 0 ? new ImageAnswer(ImageStatus.NoSuchVariant)
            : await _asking.GetVariantAsync(PlaceOf(name), number, into);
    }

    /// <inheritdoc/>
    public async ValueTask<ImageAnswer> DeleteAsync(string name, ImageCondition condition) =>
        ImageName.WrongOf(name) is { } wrong
            ? new ImageAnswer(ImageStatus.BadName) { Words = wrong }
            : await _asking.DeleteAsync(PlaceOf(name), condition, _thumbnails);

    /// <inheritdoc/>
    public override void OnStart() => _channel.Start();

    /// <inheritdoc/>
    public override void OnStop(StopReason reason)
    {
        _channel.Stop();
        _workers.Dispose();
    }

    /// <inheritdoc/>
    public override Verdict OnPacket(in HopContext hop, Packet packet) => _channel.OnPacket(hop, packet);

    /// <inheritdoc/>
    public override void OnTopologyChanged(in TopologyChange change) => _channel.OnTopologyChanged();

    bool IMessageHandler<ImagesHeader>.OnArriving(in ImagesHeader header, Coordinate source, int length) =>
        header.Kind == ImagesKind.Answer ? _asking.IsWanted(header) : _stores.Jobs < _options.Jobs;

    void IMessageHandler<ImagesHeader>.OnMessage(in IncomingMessage<ImagesHeader> message)
    {
        bool isRight = message.Header.Kind switch
        {
            ImagesKind.Store or ImagesKind.Poll => _stores.OnMessage(message),
            ImagesKind.Fetch => OnFetch(message),
            ImagesKind.Answer or ImagesKind.Working or ImagesKind.Resend => _asking.OnSaid(message),
            _ => false,
        };
        _counters.Malformed.Add(isRight ? 0 : 1);
    }

    private static WorkerOptions WorkersOf(ImagesOptions options)
    {
        var workers = new WorkerOptions
        {
            QueueLimit = options.WorkerQueue,
            Deadline = options.WorkerTime,
            MemoryLimit = options.WorkerBytes,
            YieldTime = options.WorkerYield,
        };
        return options.Workers == 0 ? workers : workers with { Processes = options.Workers };
    }

    private ImagePlace PlaceOf(string name) => ImagePlace.Of(name, _options.Table);

    private bool OnFetch(in IncomingMessage<ImagesHeader> message)
    {
        ReadOnlySpan<byte> content = message.Content;
        if (content.IsEmpty || content[0] >= Variants.Count || StoreRequest.TextOf(content[1..]) is not { } name)
        {
            return false;
        }

        // Who asks again, because nothing has come yet, waits for the same.
        (Coordinate source, ulong question, int variant) = (message.Source, message.Header.Question, content[0]);
        if (_fetching.Count >= _options.Fetches || !_fetching.Add((source, question)))
        {
            return true;
        }

        _server.Loop.Run(async () =>
        {
            var bytes = new ArrayBufferWriter<byte>();
            ImageAnswer answer = await _variants.GetAsync(PlaceOf(name), variant, bytes);
            _fetching.Remove((source, question));
            var header = new ImagesHeader { Question = question, Kind = ImagesKind.Answer };
            _channel.Send(header, AnswerFormat.ToBytes(answer), bytes.WrittenMemory, source);
        });
        return true;
    }
}

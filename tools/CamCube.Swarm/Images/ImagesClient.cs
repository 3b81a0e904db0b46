using System.Buffers;
using CamCube.Histories;
using CamCube.Services.Images;
using CamCube.Services.Images.Pictures.Simulated;
using CamCube.Simulator.Swarm;
using CamCube.Swarm.KeyValues;
using static CamCube.Services.Images.ImageStatus;

namespace CamCube.Swarm.Images;

/// <summary>One client of the image store: one operation at a time, each through some server. When that is stopped the
/// client is gone, and another comes.</summary>
internal sealed class ImagesClient
{
    private const int MostClients = 1_000;
    private readonly SwarmCube _cube;
    private readonly ImagesSettings _settings;
    private readonly ImagesHistory _history;
    private readonly PromiseChecker _ends;
    private readonly Random _random;
    private readonly Dictionary<string, ulong> _seen = [];
    private readonly bool _isOfCrowd;
    private Running? _running;
    private ImagesVerb _verb;
    private string _image = "";
    private ulong _number;
    private ulong _asked;
    private int _variant;
    private int _at;
    private int _run;
    private int _name;
    private long _began;

    public ImagesClient(SwarmCube cube, ImagesSettings settings, ImagesHistory history, PromiseChecker ends, int name)
    {
        (_cube, _settings, _history, _ends, _name) = (cube, settings, history, ends, name);
        _isOfCrowd = name >= settings.Clients;
        _random = SwarmRandom.Of(cube.Options.Seed, $"images client {name}");
    }

    /// <summary>Operations that ended, by how.</summary>
    public SwarmTally Tally { get; } = new();

    /// <summary>Whether an operation is going on.</summary>
    public bool IsRunning => _running is not null;

    /// <summary>The image of the last operation.</summary>
    public string Image => _image;

    /// <summary>When the last operation began.</summary>
    public long BeganNanos => _began;

    /// <summary>How the last operation ended.</summary>
    public ImageStatus Status { get; private set; }

    /// <summary>Whether the last operation was done, or refused for a reason.</summary>
    public bool IsAnswered => Status is Done or NotFound or Conflict or Undecodable;

    /// <summary>For messages: what it did last.</summary>
    public string Doing => $"{_verb} of {_image} through {_cube.Cube.Shape.At(_at)}, begun at {_began / 1e6:F3} ms";

    private bool IsPut => _verb is ImagesVerb.Put or ImagesVerb.PutIfAbsent or ImagesVerb.PutIfVersion;

    private bool IsDelete => _verb is ImagesVerb.Delete or ImagesVerb.DeleteIfVersion;

    private ImageCondition Condition =>
        _verb switch
        {
            ImagesVerb.PutIfAbsent => ImageCondition.Absent,
            ImagesVerb.PutIfVersion => ImageCondition.Is(_asked),

            // A version that nobody has is no version.
            ImagesVerb.DeleteIfVersion when _asked > 0 => ImageCondition.Is(_asked),
            _ => default,
        };

    /// <summary>Looks whether the operation has ended. True: none is going on.</summary>
    public bool Look()
    {
        if (_running is null)
        {
            return true;
        }

        bool isGone = _cube.StopsOf(_at) != _run || StoreAt(_cube, _at) != _running.Store;
        long now = _cube.Cube.NowNanos;
        if (!isGone && _running.Answer is null)
        {
            // Who is in the way of others all the time tries again and again.
            long most = _settings.MostNanos * (_isOfCrowd || _image == ImagesSettings.HotName ? 8 : 2);
            _ends.Check(now - _began <= most || _cube.Cube.IsPaused(_at), now, () => $"{Doing} has no end");
            return false;
        }

        Finish(isGone ? null : _running.Answer, now);
        return true;
    }

    /// <summary>Begins something, or waits for a while.</summary>
    public void Draw()
    {
        if (_random.Next(_settings.PauseMillis) == 0)
        {
            string image = _isOfCrowd ? ImagesSettings.HotName : _settings.DrawName(_random);
            Begin(_random.Next(_cube.Cube.Shape.Count), DrawVerb(), image);
        }
    }

    /// <summary>Begins an operation, if somebody can at this server.</summary>
    public bool Begin(int rank, ImagesVerb verb, string image)
    {
        int length = ImagesSettings.DrawLength(_random);
        _variant = _random.Next(_settings.Images.Variants.Count);
        if (!_cube.Truth.Runs(rank) || _cube.Cube.IsPaused(rank) || StoreAt(_cube, rank) is not { } store)
        {
            return false;
        }

        (_at, _run, _verb, _image, _began) = (rank, _cube.StopsOf(rank), verb, image, _cube.Cube.NowNanos);
        _asked = _seen.GetValueOrDefault(image);
        var running = new Running { Store = store };
        _running = running;
        IServer server = _cube.Cube.ServerOf<ImagesService>(rank);
        long began = server.NowNanos;
        server.Loop.Run(async () =>
        {
            ImageAnswer answer = await AskAsync(store, running, length);
            (running.Answer, running.TookNanos) = (
                answer,
                ClientClock.MostNanos(_cube.Options, server.NowNanos - began)
            );
        });
        return true;
    }

    /// <summary>The service of a server; null: it is stopped, or has faulted and is started again.</summary>
    public static ImagesService? StoreAt(SwarmCube cube, int rank)
    {
        try
        {
            return cube.Cube.IsRunning(rank) ? cube.Cube.Service<ImagesService>(rank) : null;
        }
        catch (ServiceUnavailableException)
        {
            return null;
        }
    }

    private ValueTask<ImageAnswer> AskAsync(ImagesService store, Running into, int length) =>
        _verb switch
        {
            ImagesVerb.Get => ReadAsync(store, into.Bytes),
            ImagesVerb.GetVariant => store.GetVariantAsync(_image, store.Variants[_variant], into.Bytes),
            ImagesVerb.Find => store.FindAsync(_image),
            ImagesVerb.Delete or ImagesVerb.DeleteIfVersion => store.DeleteAsync(_image, Condition),
            ImagesVerb.PutHostile => store.PutAsync(_image, Hostile(length), default),
            _ => store.PutAsync(_image, _history.Begin(_image, length, out _number), Condition),
        };

    private byte[] Hostile(int length)
    {
        byte[] picture = _history.Begin(_image, length, out _);
        ReadOnlySpan<byte> end = _random.Next(4) switch
        {
            0 => SimulatedPictures.Dies,
            1 => SimulatedPictures.Hangs,
            2 => SimulatedPictures.Rubbish,
            _ => SimulatedPictures.Damaged,
        };
        end.CopyTo(picture.AsSpan(picture.Length - end.Length));
        return picture;
    }

    private async ValueTask<ImageAnswer> ReadAsync(ImagesService store, ArrayBufferWriter<byte> into)
    {
        using IImageReader reader = await store.OpenReadAsync(_image);
        while (reader.Answer.Status == Done)
        {
            (ImageStatus status, ReadOnlyMemory<byte> bytes) = await reader.ReadAsync();
            if (status != Done || bytes.IsEmpty)
            {
                return reader.Answer with { Status = status };
            }

            into.Write(bytes.Span);
        }

        return reader.Answer;
    }

    private ImagesVerb DrawVerb()
    {
        int verb = _random.Next(20);
        return _random.Next(10) >= _settings.ChangesOfTen
            ? verb switch
            {
                < 7 => ImagesVerb.Get,
                < 17 => ImagesVerb.GetVariant,
                _ => ImagesVerb.Find,
            }
            : verb switch
            {
                < 9 => ImagesVerb.Put,
                < 12 => ImagesVerb.PutIfVersion,
                < 14 => ImagesVerb.PutIfAbsent,
                < 16 => ImagesVerb.PutHostile,
                < 19 => ImagesVerb.Delete,
                _ => ImagesVerb.DeleteIfVersion,
            };
    }

    private void Finish(ImageAnswer? told, long now)
    {
        Running running = _running!;
        _running = null;
        bool changes = IsPut || IsDelete;
        ImageAnswer answer = told ?? new ImageAnswer(changes ? Unknown : Unavailable);
        Status = answer.Status;
        Tally.Add($"images {_verb}: {(told is null ? "client's server stopped" : Status)}");
        _ends.Check(IsPossible(Status), now, () => $"{Doing} ended as {answer}");
        string? value =
            Status != Done ? null
            : _verb == ImagesVerb.Get ? _history.Identify(_image, running.Bytes.WrittenSpan, now)
            : _verb == ImagesVerb.GetVariant ? _history.Identify(_image, _variant, running.Bytes.WrittenSpan, now)
            : null;
        bool isJudged = _verb is not (ImagesVerb.PutHostile or ImagesVerb.Find) || (Status == NotFound && !changes);
        if (isJudged && (changes || Status is Done or NotFound))
        {
            _history.Add(ToHistory(answer, value, Math.Min(now, _began + running.TookNanos)));
        }

        _seen[_image] = Status is Done or Conflict && !IsDelete ? answer.Version : _seen.GetValueOrDefault(_image);
        if (told is null)
        {
            (_name, Status) = (_name + MostClients, Unknown);
            _seen.Clear();
        }
    }

    private bool IsPossible(ImageStatus status) =>
        status switch
        {
            Done => _verb != ImagesVerb.PutHostile,
            NotFound => !IsPut && _verb != ImagesVerb.PutHostile,
            Undecodable => _verb == ImagesVerb.PutHostile,

            // Also one without a condition, that others are in the way of all the time.
            Conflict => IsPut || IsDelete || _verb == ImagesVerb.PutHostile,
            Busy or Unavailable => true,
            DataAway => !IsPut && !IsDelete,
            Unknown => IsPut || IsDelete || _verb == ImagesVerb.PutHostile,
            _ => false,
        };

    private HistoryOperation ToHistory(in ImageAnswer answer, string? value, long end)
    {
        ulong? condition = Condition.Version;
        bool isUnmet = answer.Status == Conflict && condition is null;
        return new HistoryOperation
        {
            Client = _name,
            Key = _image,
            Begin = _began,
            End = end,
            Version = isUnmet ? 0 : answer.Version,
            Kind =
                IsPut ? HistoryKind.Put
                : IsDelete ? HistoryKind.Delete
                : HistoryKind.Get,
            Value = IsPut ? ImagesHistory.NameOf(_number) : value,
            IfVersion = condition,
            Answer = isUnmet
                ? HistoryAnswer.Unavailable
                : answer.Status switch
                {
                    Done => HistoryAnswer.Done,
                    NotFound => HistoryAnswer.NotFound,
                    Conflict => HistoryAnswer.Conflict,
                    Busy or Unavailable => HistoryAnswer.Unavailable,
                    _ => HistoryAnswer.Unknown,
                },
        };
    }

    private sealed class Running
    {
        public required ImagesService Store { get; init; }

        public ImageAnswer? Answer { get; set; }

        public long TookNanos { get; set; }

        public ArrayBufferWriter<byte> Bytes { get; } = new();
    }
}

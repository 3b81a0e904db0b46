using System.Buffers;
using System.Text;
using CamCube.Services.Cache;
using CamCube.Services.Images.Pictures.Formats;
using CamCube.Services.Images.Pictures.Wire;
using CamCube.Services.Images.Wire;

namespace CamCube.Services.Images.Storing;

/// <summary>
/// Variants, in the cache of the server where the original is: <c>i/{key}/{version}/{variant}</c>, so that one of an
/// older version is never found. Best effort. An item's flags say what it is: format (2 bits), width and height (15
/// bits each). Loop only.
/// </summary>
internal sealed class Thumbnails(Dependency<ICache> cache)
{
    private const int SideBits = 15;
    private const int Side = (1 << SideBits) - 1;

    /// <summary>Reads one; null: it is not there.</summary>
    public async ValueTask<ImageAnswer?> GetAsync(
        ImagePlace place,
        ulong version,
        string variant,
        IBufferWriter<byte> into
    )
    {
        CacheReply reply = await DoAsync(place, version, variant, CacheOperation.Get, into: into);
        return AnswerOf(reply, version);
    }

    /// <summary>What is known of one, which is not used by that; null: it is not there.</summary>
    public async ValueTask<ImageAnswer?> InspectAsync(ImagePlace place, ulong version, string variant) =>
        AnswerOf(await DoAsync(place, version, variant, CacheOperation.Inspect), version);

    /// <summary>Keeps one. False: there is no room, or no cache.</summary>
    public async ValueTask<bool> SetAsync(ImagePlace place, ulong version, string variant, Variant made)
    {
        uint flags =
            ((uint)made.Format << (2 * SideBits))
            | (((uint)made.Width & Side) << SideBits)
            | ((uint)made.Height & Side);
        CacheReply reply = await DoAsync(place, version, variant, CacheOperation.Set, made.Bytes, flags);
        return reply.Status == CacheStatus.Done;
    }

    /// <summary>Drops those of a version.</summary>
    public async ValueTask DropAsync(ImagePlace place, ulong version, IReadOnlyList<string> variants)
    {
        for (int i = 0; i < variants.Count; i++)
        {
            await DoAsync(place, version, variants[i], CacheOperation.Delete);
        }
    }

    private static ImageAnswer? AnswerOf(in CacheReply reply, ulong version) =>
        reply.Status == CacheStatus.Done
            ? new ImageAnswer(ImageStatus.Done, version)
            {
                MediaType = MediaTypes.Of((PictureFormat)(reply.Flags >> (2 * SideBits))),
                Width = (int)(reply.Flags >> SideBits & Side),
                Height = (int)(reply.Flags & Side),
                Length = reply.Facts.Length,
            }
            : null;

    private ValueTask<CacheReply> DoAsync(
        ImagePlace place,
        ulong version,
        string variant,
        CacheOperation operation,
        ReadOnlyMemory<byte> value = default,
        uint flags = 0,
        IBufferWriter<byte>? into = null
    ) =>
        cache.IsAvailable
            ? cache.Value.ExecuteAsync(
                new CacheRequest
                {
                    Terms = new CacheTerms
                    {
                        Operation = operation,
                        Flags = flags,
                        Options =
                            operation == CacheOperation.Inspect ? CacheTermOptions.WithoutValue : CacheTermOptions.None,
                    },
                    Key = Encoding.ASCII.GetBytes($"i/{place.Key}/{version}/{variant}"),
                    At = place.Key,
                    Value = value,
                    Into = into,
                }
            )
            : new ValueTask<CacheReply>(new CacheReply(CacheStatus.Unavailable));
}

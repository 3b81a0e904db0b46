using System.Globalization;
using System.Net;
using System.Net.Http.Headers;
using CamCube.Histories;

namespace CamCube.Chaos.Clients;

/// <summary>
/// One server's store over HTTP, in the words of a history. What it says of an answer is what clients of the store may
/// rely on (docs/key-value.md): a status that means "not done" is not done, and whatever ends in another way may have
/// been. Any thread.
/// </summary>
/// <param name="http">A client of the server. It must not follow redirects.</param>
internal sealed class StoreHttp(HttpClient http)
{
    private long _known;

    /// <summary>Operations of which this server said what came of them, whether they were done or not.</summary>
    public long Known => Volatile.Read(ref _known);

    /// <summary>Asks, and answers the operation with its end filled in.</summary>
    /// <param name="asked">What is asked, as it is written down.</param>
    /// <param name="clock">Nanoseconds of the clock that all clients share.</param>
    /// <param name="cancel">The run is over.</param>
    public async Task<HistoryOperation> AskAsync(HistoryOperation asked, Func<long> clock, CancellationToken cancel)
    {
        HistoryOperation begun = asked with { Begin = clock() };
        try
        {
            using HttpRequestMessage request = RequestOf(asked);
            using HttpResponseMessage response = await http.SendAsync(request, cancel).ConfigureAwait(false);
            byte[] body = await response.Content.ReadAsByteArrayAsync(cancel).ConfigureAwait(false);
            HistoryOperation told = Told(begun, response, body) with { End = clock() };
            if (told.Answer is not (HistoryAnswer.Unknown or HistoryAnswer.Unavailable))
            {
                Interlocked.Increment(ref _known);
            }

            return told;
        }
        catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.ConnectionError)
        {
            // Nobody listens: nothing was sent.
            return begun with { Answer = HistoryAnswer.Unavailable, End = clock() };
        }
        catch (Exception e) when (e is HttpRequestException or IOException or OperationCanceledException)
        {
            return begun with { Answer = HistoryAnswer.Unknown, End = clock() };
        }
    }

    private static HttpRequestMessage RequestOf(HistoryOperation asked)
    {
        HttpMethod method = asked.Kind switch
        {
            HistoryKind.Get => HttpMethod.Get,
            HistoryKind.Put => HttpMethod.Put,
            HistoryKind.Delete => HttpMethod.Delete,
            _ => throw new NotSupportedException($"{asked.Kind} is not asked for here."),
        };
        var request = new HttpRequestMessage(method, "/kv/" + Uri.EscapeDataString(asked.Key));
        if (asked.Kind != HistoryKind.Get)
        {
            // Also a delete has one, of no bytes: HttpClient sends a request without a body again by itself when the
            // connection ends before the answer, and then nobody knows how often it was done.
            request.Content = new ByteArrayContent(asked.Value is null ? [] : StoredValue.Of(asked.Value));
        }

        if (asked.IfPresent)
        {
            request.Headers.IfMatch.Add(EntityTagHeaderValue.Any);
        }
        else if (asked.IfVersion == 0)
        {
            request.Headers.IfNoneMatch.Add(EntityTagHeaderValue.Any);
        }
        else if (asked.IfVersion is { } version)
        {
            request.Headers.IfMatch.Add(
                new EntityTagHeaderValue(string.Create(CultureInfo.InvariantCulture, $"\"{version}\""))
            );
        }

        return request;
    }

    private static HistoryOperation Told(HistoryOperation asked, HttpResponseMessage response, byte[] body)
    {
        HistoryAnswer answer = response.StatusCode switch
        {
            HttpStatusCode.OK or HttpStatusCode.Created or HttpStatusCode.NoContent => HistoryAnswer.Done,
            HttpStatusCode.NotFound => HistoryAnswer.NotFound,
            HttpStatusCode.PreconditionFailed => HistoryAnswer.Conflict,
            HttpStatusCode.ServiceUnavailable or HttpStatusCode.InsufficientStorage => HistoryAnswer.Unavailable,
            _ => HistoryAnswer.Unknown,
        };
        return asked with
        {
            Answer = answer,
            Version = VersionOf(response),
            Value =
                asked.Kind == HistoryKind.Get && answer == HistoryAnswer.Done ? StoredValue.NameOf(body) : asked.Value,
        };
    }

    private static ulong VersionOf(HttpResponseMessage response) =>
        response.Headers.ETag is { IsWeak: false } tag
        && ulong.TryParse(
            tag.Tag.AsSpan().Trim('"'),
            NumberStyles.None,
            CultureInfo.InvariantCulture,
            out ulong version
        )
            ? version
            : 0;
}

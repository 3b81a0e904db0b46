using System.Globalization;
using CamCube.FrontEnds.Http;
using CamCube.ValueTexts;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace CamCube.Services.KeyValue.FrontEnds.Http;

/// <summary>The key-value store over HTTP: <c>GET|HEAD|PUT|DELETE|POST /kv/{key}</c> and lists, as docs/key-value.md
/// describes it.
/// Handlers run on pool threads, and ask the store through the gate.</summary>
/// <param name="gate">The server.</param>
/// <param name="options">Settings.</param>
/// <param name="logger">Is told what goes wrong.</param>
[FrontEnd("kv-http", 8200)]
public sealed class KeyValueHttpFrontEnd(
    IServerGate gate,
    KeyValueHttpOptions options,
    ILogger<KeyValueHttpFrontEnd> logger
) : HttpFrontEnd(gate, options, logger)
{
    // Longer bodies, and those that do not say how long they are, go to the store as they come.
    private const int MostHeld = 64 << 10;
    private readonly KeyValueWaits _waits = new(gate, options);
    private int _longest;

    /// <summary>Requests that wait for another version now.</summary>
    internal int Waiting => _waits.Count;

    // Which key is meant is in the request line as it was sent, and not in what routing makes of it.
    /// <inheritdoc/>
    protected override void Map(IEndpointRouteBuilder routes) => routes.Map("{**path}", HandleAsync);

    private async Task HandleAsync(HttpContext context)
    {
        string raw = context.Features.Get<IHttpRequestFeature>()!.RawTarget;
        if (!KeyValueTarget.TryRead(raw, out KeyValueTarget target, out string? wrong))
        {
            await (
                wrong is null
                    ? context.RefuseAsync(StatusCodes.Status404NotFound, "keys are at /kv/{key}.")
                    : context.RefuseAsync(StatusCodes.Status400BadRequest, wrong)
            );
            return;
        }

        string method = context.Request.Method;
        bool isRead = HttpMethods.IsGet(method) || HttpMethods.IsHead(method);
        if (!isRead && !HttpMethods.IsPut(method) && !HttpMethods.IsDelete(method) && !HttpMethods.IsPost(method))
        {
            context.Response.Headers.Allow = "GET, HEAD, PUT, DELETE, POST";
            await context.RefuseAsync(
                StatusCodes.Status405MethodNotAllowed,
                "there are GET, HEAD, PUT, DELETE and POST for a key."
            );
            return;
        }

        if (target.List is { } list)
        {
            await (
                isRead
                    ? ListAsync(context, list)
                    : context.RefuseAsync(
                        StatusCodes.Status400BadRequest,
                        $"a key has 1 to {KeyValueKey.MostBytes:N0} bytes; this one has 0."
                    )
            );
            return;
        }

        if ((wrong = Check(context, target, isRead, out ChangeConditions conditions)) is not null)
        {
            await context.RefuseAsync(StatusCodes.Status400BadRequest, wrong);
            return;
        }

        // A constant, which only the loop may ask for.
        if (_longest == 0)
        {
            _longest = await Gate.CallAsync<IKeyValueStore, int, int>(static (s, _) => new(s.MaxValueLength), 0);
        }

        await (
            isRead ? ReadAsync(context, target)
            : HttpMethods.IsPut(method) ? PutAsync(context, target, conditions)
            : HttpMethods.IsPost(method) ? PostAsync(context, target, conditions)
            : ChangeAsync(context, new GatedChange(target.Key, conditions, null, default))
        );
    }

    private async Task ListAsync(HttpContext context, ListTarget list)
    {
        KeyValuePage page = await Gate.CallAsync<IKeyValueStore, ListTarget, KeyValuePage>(
            static (s, a) => s.ListAsync(a.Prefix, a.Cursor, a.Limit),
            list
        );
        if (page.Status != KeyValueStatus.Done)
        {
            await RefuseAsync(context, new KeyValueAnswer(page.Status));
            return;
        }

        using HeldBody text = Hold();
        ListAnswer.Write(text, page);
        if (text.LacksRoom)
        {
            await RefuseForMemoryAsync(context);
            return;
        }

        context.Response.ContentType = ListAnswer.ContentType;
        context.Response.ContentLength = text.Length;
        context.Response.Headers.CacheControl = "no-cache";
        if (!HttpMethods.IsHead(context.Request.Method))
        {
            await context.Response.Body.WriteAsync(text.Written, context.RequestAborted);
        }
    }

    private string? Check(HttpContext context, KeyValueTarget target, bool isRead, out ChangeConditions conditions) =>
        ChangeConditions.Read(context.Request.Headers, out conditions)
        ?? (
            HttpMethods.IsPost(context.Request.Method) != (target.Op is not null)
                ? "op=add and op=append go with POST, and it with one of them."
            : !isRead && (target.Wait is not null || target.Reads != KeyValueReads.Latest)
                ? "wait and reads go with GET and HEAD."
            : target.Timeout > options.LongestWait
                ? $"timeout is {DurationText.Format(options.LongestWait)} at most (setting LongestWait)."
            : null
        );

    private async Task ReadAsync(HttpContext context, KeyValueTarget target)
    {
        if (target.Wait is not null)
        {
            KeyValueAnswer? waited = await _waits.WaitAsync(context, target);
            switch (waited?.Status)
            {
                case null:
                    context.Response.Headers.RetryAfter = "1";
                    await context.RefuseAsync(
                        StatusCodes.Status503ServiceUnavailable,
                        $"{options.WaitsAtOnce:N0} requests wait here already (setting WaitsAtOnce)."
                    );
                    return;
                case KeyValueStatus.Done:
                    break;
                case KeyValueStatus.Conflict when waited.Value.Version == 0:
                    await context.RefuseAsync(StatusCodes.Status404NotFound, "there is still no such key.");
                    return;
                case KeyValueStatus.Conflict:
                    Describe(context, waited.Value);
                    context.Response.StatusCode = StatusCodes.Status304NotModified;
                    return;
                default:
                    await RefuseAsync(context, waited.Value);
                    return;
            }
        }

        using HeldBody value = Hold(),
            metadata = Hold();
        bool isHead = HttpMethods.IsHead(context.Request.Method);
        KeyValueAnswer answer;
        try
        {
            answer = await Gate.CallAsync<
                IKeyValueStore,
                (KeyValueTarget Target, HeldBody? Value, HeldBody Metadata),
                KeyValueAnswer
            >(
                static (s, a) => s.GetAsync(a.Target.Key, a.Target.Reads, a.Value, a.Metadata),
                (target, isHead ? null : value, metadata)
            );
        }
        catch
        {
            // The store may still write.
            value.Abandon();
            metadata.Abandon();
            throw;
        }

        if (answer.Status == KeyValueStatus.TooLarge)
        {
            await SendLongAsync(context, target);
        }
        else if (answer.Status != KeyValueStatus.Done)
        {
            context.Response.Headers["CamCube-Hops"] = $"{answer.Hops}";
            await RefuseAsync(context, answer);
        }
        else if (value.LacksRoom || metadata.LacksRoom)
        {
            await RefuseForMemoryAsync(context);
        }
        else
        {
            Describe(context, answer);
            await SendAsync(context, answer, value, metadata);
        }
    }

    // Piece by piece, and only those that are asked for.
    private async Task SendLongAsync(HttpContext context, KeyValueTarget target)
    {
        IKeyValueReader reader = await Gate.CallAsync<IKeyValueStore, KeyValueTarget, IKeyValueReader>(
            static (s, t) => s.OpenReadAsync(t.Key, t.Reads),
            target
        );
        if (reader.Answer.Status != KeyValueStatus.Done)
        {
            context.Response.Headers["CamCube-Hops"] = $"{reader.Answer.Hops}";
            await RefuseAsync(context, reader.Answer);
            return;
        }

        Describe(context, reader.Answer);
        await AnswerAsync(
            context,
            EntityOf(context, reader.Answer, reader.Metadata.Span),
            async (range, body) =>
                await Gate.CallAsync<IKeyValueStore, LongBody, bool>(
                    static (_, b) => b.SendAsync(),
                    new LongBody(reader, range, body)
                )
        );
    }

    private static HttpEntity EntityOf(HttpContext context, in KeyValueAnswer answer, ReadOnlySpan<byte> metadata)
    {
        string contentType = MetadataHeaders.Write(context.Response, metadata);

        // Clients have put it here: a page among it must not act as this server's own, and no cache answers for it.
        context.Response.Headers.ContentSecurityPolicy = "sandbox";
        context.Response.Headers.CacheControl = "no-cache";
        return new HttpEntity($"{answer.Version}", answer.Length, contentType);
    }

    private static async Task SendAsync(HttpContext context, KeyValueAnswer answer, HeldBody value, HeldBody metadata)
    {
        HttpEntity entity = EntityOf(context, answer, metadata.Written.Span);
        if (HttpConditions.Begin(context, entity, out HttpRange range))
        {
            await context.Response.Body.WriteAsync(
                value.Written.Slice((int)range.From, (int)range.Length),
                context.RequestAborted
            );
        }
    }

    private async Task PutAsync(HttpContext context, KeyValueTarget target, ChangeConditions conditions)
    {
        HttpRequest request = context.Request;
        int status = StatusCodes.Status400BadRequest;
        byte[] metadata = [];
        if (
            (
                ExpiryHeader.Read(request.Headers, out TimeSpan? expires)
                ?? MetadataHeaders.Read(request, out metadata, out status)
            ) is
            { } wrong
        )
        {
            await context.RefuseAsync(status, wrong);
            return;
        }

        if (request.Headers.ContentRange.Count > 0 || request.Headers.ContentEncoding.Count > 0)
        {
            await context.RefuseAsync(
                request.Headers.ContentRange.Count > 0
                    ? StatusCodes.Status400BadRequest
                    : StatusCodes.Status415UnsupportedMediaType,
                "a value is put as a whole, and as it is to come back: without Content-Range and Content-Encoding."
            );
            return;
        }

        if (request.ContentLength > _longest)
        {
            await KeyValueRefusals.RefuseAsync(context, new KeyValueAnswer(KeyValueStatus.TooLarge), _longest);
            return;
        }

        if (request.ContentLength is null or > MostHeld)
        {
            await PutLongAsync(context, new GatedChange(target.Key, conditions, null, metadata) { Expires = expires });
            return;
        }

        using HeldBody value = Hold();
        if (!await WholeBody.TryReadAsync(context, value, _longest))
        {
            await KeyValueRefusals.RefuseAsync(context, new KeyValueAnswer(KeyValueStatus.TooLarge), _longest);
        }
        else if (value.LacksRoom)
        {
            await RefuseForMemoryAsync(context);
        }
        else
        {
            try
            {
                await ChangeAsync(
                    context,
                    new GatedChange(target.Key, conditions, value.Written, metadata) { Expires = expires }
                );
            }
            catch
            {
                // The store may still read it.
                value.Abandon();
                throw;
            }
        }
    }

    // Piece by piece as it comes.
    private async Task PutLongAsync(HttpContext context, GatedChange change)
    {
        if (change.Conditions.FitNothing)
        {
            await ChangeAsync(context, change);
            return;
        }

        (bool isTaken, KeyValueAnswer? answer) = await ReceiveAsync(
            context,
            async body => (KeyValueAnswer?)await MakeAsync(change with { Body = body })
        );
        if (isTaken)
        {
            await AnswerAsync(context, change with { Value = default(ReadOnlyMemory<byte>) }, answer!.Value);
        }
    }

    private async Task PostAsync(HttpContext context, KeyValueTarget target, ChangeConditions conditions)
    {
        using HeldBody value = Hold(),
            result = Hold();
        if (!await WholeBody.TryReadAsync(context, value, KeyValueChange.MostBytes))
        {
            await RefusePostAsync(context, new KeyValueAnswer(KeyValueStatus.TooLarge));
            return;
        }

        if (value.LacksRoom)
        {
            await RefuseForMemoryAsync(context);
            return;
        }

        long number = 0;
        bool isAdd = target.Op == "add";
        if (
            isAdd
            && !long.TryParse(
                value.Written.Span,
                NumberStyles.AllowLeadingSign,
                CultureInfo.InvariantCulture,
                out number
            )
        )
        {
            await context.RefuseAsync(
                StatusCodes.Status400BadRequest,
                "the body of op=add is a number of 64 bits in decimal digits."
            );
            return;
        }

        KeyValueChange change = isAdd ? KeyValueChange.Add(number) : KeyValueChange.Append(value.Written);
        var posted = new PostedChange(target.Key, conditions, change, result);
        KeyValueAnswer answer;
        try
        {
            answer = conditions.FitNothing
                ? new KeyValueAnswer(KeyValueStatus.Conflict)
                : await Gate.CallAsync<IKeyValueStore, PostedChange, KeyValueAnswer>(PostedChange.MakeAsync, posted);
        }
        catch (Exception e)
        {
            // The store may still read it, or write.
            value.Abandon();
            result.Abandon();
            if (e is ServiceUnavailableException && posted.IsBegun)
            {
                await KeyValueRefusals.RefuseUnknownAsync(context);
                return;
            }

            throw;
        }

        Describe(context, answer);
        if (answer.Status != KeyValueStatus.Done)
        {
            context.Response.Headers.ETag = default;
            await RefusePostAsync(context, answer);
            return;
        }

        context.Response.Headers["CamCube-Copies"] = $"{answer.Copies}";
        context.Response.StatusCode = isAdd ? StatusCodes.Status200OK : StatusCodes.Status204NoContent;
        if (isAdd)
        {
            context.Response.ContentType = "text/plain";
            await context.Response.Body.WriteAsync(result.Written, context.RequestAborted);
        }
    }

    private Task RefusePostAsync(HttpContext context, KeyValueAnswer answer) =>
        answer.Status == KeyValueStatus.TooLarge
            ? KeyValueRefusals.RefuseAsync(context, answer, KeyValueChange.MostBytes)
            : RefuseAsync(context, answer);

    private async Task ChangeAsync(HttpContext context, GatedChange change)
    {
        if (change.Conditions.FitNothing)
        {
            await context.RefuseAsync(
                StatusCodes.Status412PreconditionFailed,
                "no version of this store fits If-Match and If-None-Match; nothing was changed."
            );
            return;
        }

        await AnswerAsync(context, change, await MakeAsync(change));
    }

    private async Task<KeyValueAnswer> MakeAsync(GatedChange change)
    {
        try
        {
            return await Gate.CallAsync<IKeyValueStore, GatedChange, KeyValueAnswer>(GatedChange.MakeAsync, change);
        }
        catch (ServiceUnavailableException) when (change.IsBegun)
        {
            // It was stopped in the middle.
            return new KeyValueAnswer(KeyValueStatus.Unknown);
        }
    }

    private async Task AnswerAsync(HttpContext context, GatedChange change, KeyValueAnswer answer)
    {
        context.Response.Headers["CamCube-Hops"] = $"{answer.Hops}";
        if (answer.Status == KeyValueStatus.Done)
        {
            Describe(context, answer);
            context.Response.Headers["CamCube-Copies"] = $"{answer.Copies}";
            context.Response.StatusCode =
                change.Value is not null && change.Conditions.AskAbsence
                    ? StatusCodes.Status201Created
                    : StatusCodes.Status204NoContent;
        }
        else if (answer.Status == KeyValueStatus.Conflict && change.Conditions.Fit(answer.Version))
        {
            await context.RefuseAsync(
                StatusCodes.Status409Conflict,
                "others changed the key each time it was tried; nothing was changed. Try again."
            );
        }
        else if (change.Value is null && answer is { Status: KeyValueStatus.Conflict, Version: 0 })
        {
            await KeyValueRefusals.RefuseAsync(context, answer with { Status = KeyValueStatus.NotFound }, _longest);
        }
        else
        {
            await RefuseAsync(context, answer);
        }
    }

    // A server without a disk says what to do about that, and not that others are away.
    private async Task RefuseAsync(HttpContext context, KeyValueAnswer answer)
    {
        string? failure =
            answer.Status == KeyValueStatus.Unavailable
                ? (
                    await Gate.CallAsync<IKeyValueStore, int, Reason>(static (s, _) => new(new Reason(s.Failure)), 0)
                ).Words
                : null;
        await KeyValueRefusals.RefuseAsync(context, answer, _longest, failure);
    }

    private static void Describe(HttpContext context, KeyValueAnswer answer)
    {
        ExpiryHeader.Write(context.Response, answer);
        context.Response.Headers["CamCube-Hops"] = $"{answer.Hops}";
        context.Response.Headers.ETag = $"\"{answer.Version}\"";
    }

    private readonly record struct Reason(string? Words);
}

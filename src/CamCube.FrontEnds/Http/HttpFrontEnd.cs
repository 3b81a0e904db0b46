using System.Net;
using System.Net.Sockets;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.Logging;

namespace CamCube.FrontEnds.Http;

/// <summary>
/// A front end that speaks HTTP: a derived class maps its paths, and reaches its service through
/// <see cref="Gate"/>. The front ends of one kind in a process share one Kestrel, in which each server has a port of
/// its own. What all need is here: a guard against foreign web pages, TLS, problem details, limits, bodies of any
/// length to and from the server's loop, and an end that lets running requests finish.
/// </summary>
/// <remarks>Handlers run on pool threads; what they ask of the service runs in its loop. An exception of a handler is
/// answered 500, logged with the front end's name, and concerns nobody else. A service that does not run is answered
/// 503.</remarks>
/// <param name="gate">The server.</param>
/// <param name="options">Settings. Front ends with the same object share a Kestrel.</param>
/// <param name="logger">Is told what goes wrong.</param>
/// <param name="time">Tells clients that read too slowly (<see cref="BodyFault.TooSlow"/>) from those that went away;
/// null: both are <see cref="BodyFault.ClientGone"/>.</param>
public abstract class HttpFrontEnd(
    IServerGate gate,
    HttpFrontEndOptions options,
    ILogger logger,
    TimeProvider? time = null
) : IFrontEnd
{
    private HttpSite? _site;
    private ServerPort? _port;

    /// <summary>Where it listens; null while it does not.</summary>
    public IPEndPoint? LocalEndpoint => _port?.LocalEndpoint;

    /// <summary>The way to the server's services.</summary>
    protected IServerGate Gate { get; } = gate;

    /// <summary>Bytes that bodies of this kind of front end have taken now.</summary>
    public long BodiesTaken => _site?.Bodies.Taken ?? 0;

    /// <summary>Name for log lines.</summary>
    internal string Name => $"{GetType().Name} of {Gate.Coordinate}";

    /// <summary>The requests of this server.</summary>
    internal RequestDelegate Handle { get; private set; } = null!;

    /// <summary>Settings.</summary>
    internal HttpFrontEndOptions Options { get; } = options;

    /// <summary>Adds the paths. Once, before the port opens.</summary>
    protected abstract void Map(IEndpointRouteBuilder routes);

    /// <inheritdoc/>
    public async ValueTask StartAsync(FrontEndEndpoint endpoint, CancellationToken cancel)
    {
        ArgumentNullException.ThrowIfNull(endpoint);
        _site = await HttpSite.EnterAsync(Options, cancel).ConfigureAwait(false);
        try
        {
            Handle = Pipeline(_site.Services);
            _port = ServerPort.Open(this, new IPEndPoint(endpoint.Address, endpoint.Port), _site);
        }
        catch (Exception e)
        {
            await StopAsync().ConfigureAwait(false);
            throw e is SocketException { SocketErrorCode: SocketError.AddressAlreadyInUse }
                ? new FrontEndException($"port {endpoint.Port} is taken", isPortInUse: true, e)
            : e is SocketException ? new FrontEndException($"{endpoint.Address}:{endpoint.Port}: {e.Message}")
            : e;
        }
    }

    /// <inheritdoc/>
    public ValueTask DrainAsync(CancellationToken cancel) => _port?.DrainAsync(cancel) ?? ValueTask.CompletedTask;

    /// <inheritdoc/>
    public async ValueTask StopAsync()
    {
        if (Interlocked.Exchange(ref _port, null) is { } port)
        {
            await port.CloseAsync().ConfigureAwait(false);
        }

        if (Interlocked.Exchange(ref _site, null) is { } site)
        {
            await site.LeaveAsync().ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await StopAsync().ConfigureAwait(false);
        GC.SuppressFinalize(this);
    }

    /// <summary>
    /// Takes the body of a request to the server's loop, piece by piece: at most
    /// <see cref="HttpFrontEndOptions.BodyWindow"/> bytes are on the way, so a service that is slower makes the client
    /// wait. Without any room (<see cref="HttpFrontEndOptions.BodyMemory"/>) the request is refused. The service may
    /// answer before the body has ended: the client's answer does not wait for the rest.
    /// </summary>
    /// <param name="context">The request.</param>
    /// <param name="use">Hands the body to the service, as an argument of a call of the gate; reading it goes on in the
    /// loop. What it did not read is thrown away.</param>
    /// <returns>What <paramref name="use"/> returned; or false: the request was refused, and that was
    /// answered.</returns>
    protected async Task<(bool IsTaken, TAnswer? Answer)> ReceiveAsync<TAnswer>(
        HttpContext context,
        Func<RequestBody, ValueTask<TAnswer>> use
    )
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(use);
        context.LiftBodyLimit();
        if (context.Request.ContentLength > Options.MaxBody)
        {
            await context
                .RefuseAsync(
                    StatusCodes.Status413PayloadTooLarge,
                    $"the body has {context.Request.ContentLength:N0} bytes; {Options.MaxBody:N0} are allowed."
                )
                .ConfigureAwait(false);
            return default;
        }

        if (OpenPipe() is not { } pipe)
        {
            await RefuseForMemoryAsync(context).ConfigureAwait(false);
            return default;
        }

        (TAnswer answer, BadHttpRequestException? refusal) = await pipe.ReceiveAsync(context, use)
            .ConfigureAwait(false);
        if (refusal is null)
        {
            return (true, answer);
        }

        await context.RefuseAsync(refusal.StatusCode, refusal.Message).ConfigureAwait(false);
        return default;
    }

    /// <summary>
    /// Answers with bytes that the service makes in its loop, piece by piece: at most
    /// <see cref="HttpFrontEndOptions.BodyWindow"/> bytes are on the way, so a client that reads slowly makes the
    /// service wait, and one that reads too slowly is given up.
    /// </summary>
    /// <param name="context">The request; status and headers are set already.</param>
    /// <param name="make">Hands the writer to the service, as an argument of a call of the gate. A flush that says
    /// false means that the client has gone. One that cannot go on says so with <see cref="AnswerBody.Abort"/>.</param>
    /// <returns>Why it did not come to its end, which was answered as far as it can be; None: Kestrel has all of it, or
    /// it was refused for want of memory.</returns>
    protected async Task<BodyFault> SendAsync(HttpContext context, Func<AnswerBody, ValueTask> make)
    {
        ArgumentNullException.ThrowIfNull(context);
        ArgumentNullException.ThrowIfNull(make);
        if (OpenPipe() is not { } pipe)
        {
            await RefuseForMemoryAsync(context).ConfigureAwait(false);
            return BodyFault.None;
        }

        BodyFault fault = await pipe.SendAsync(context, make).ConfigureAwait(false);
        if (fault == BodyFault.ServiceAborted)
        {
            await GiveUpAsync(context).ConfigureAwait(false);
        }

        return fault;
    }

    /// <summary>
    /// Answers a GET or HEAD of an entity that the service has, as RFC 9110 wants it: conditions (If-Match,
    /// If-None-Match, If-Range), one range of bytes, its length and its tag.
    /// </summary>
    /// <param name="context">The request.</param>
    /// <param name="entity">What it is.</param>
    /// <param name="make">Hands the writer, and the bytes that are wanted, to the service.</param>
    /// <returns>As of <see cref="SendAsync"/>; None also if no bytes were wanted.</returns>
    protected Task<BodyFault> AnswerAsync(
        HttpContext context,
        HttpEntity entity,
        Func<HttpRange, AnswerBody, ValueTask> make
    )
    {
        ArgumentNullException.ThrowIfNull(make);
        return HttpConditions.Begin(context, entity, out HttpRange range)
            ? SendAsync(context, writer => make(range, writer))
            : Task.FromResult(BodyFault.None);
    }

    /// <summary>Room for a body that a handler has in memory as a whole, out of
    /// <see cref="HttpFrontEndOptions.BodyMemory"/>: for bodies so short that to take them to the loop piece by piece
    /// costs more than it saves. While the port is open.</summary>
    protected HeldBody Hold() => new(_site!.Bodies);

    /// <summary>Refuses a request for whose body there is no room (503).</summary>
    /// <param name="context">The request; its answer has not begun.</param>
    protected static Task RefuseForMemoryAsync(HttpContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        ClearForRefusal(context);
        context.Response.Headers.RetryAfter = "1";
        return context.RefuseAsync(
            StatusCodes.Status503ServiceUnavailable,
            "there is no room for another body; try again later (setting BodyMemory)."
        );
    }

    private static async Task GiveUpAsync(HttpContext context)
    {
        if (context.Response.HasStarted)
        {
            // Half an answer must not look like a whole one.
            context.Abort();
            return;
        }

        ClearForRefusal(context);
        await context
            .RefuseAsync(StatusCodes.Status503ServiceUnavailable, "the service gave the answer up; try again.")
            .ConfigureAwait(false);
    }

    // The headers of the entity are not those of its refusal.
    private static void ClearForRefusal(HttpContext context)
    {
        context.Response.Clear();
        context.Response.Headers.XContentTypeOptions = "nosniff";
    }

    private BodyPipe? OpenPipe() =>
        _site is { } site && site.Bodies.TryOpen()
            ? new BodyPipe(Options, site.Bodies, () => _port is not { IsClosing: false }, time)
            : null;

    private RequestDelegate Pipeline(IServiceProvider services)
    {
        RequestGuard guard = new(Options.AllowedHosts, "AllowedHosts", logger);
        ApplicationBuilder pipeline = new(services);
        pipeline.Use(next => context => ExplainAsync(context, next));
        pipeline.Use(next => context => guard.InvokeAsync(context, next));
        pipeline.Use(next => context => IsReadable(context.Request) ? next(context) : RefuseEncodingAsync(context));
        pipeline.UseStatusCodePages(page =>
            page.HttpContext.RefuseAsync(
                page.HttpContext.Response.StatusCode,
                $"{page.HttpContext.Request.Method} {page.HttpContext.Request.Path} is not answered here."
            )
        );
        pipeline.UseRouting();
        pipeline.UseEndpoints(Map);
        return pipeline.Build();
    }

    // Kestrel looks at the last one, and would hand over what the others have made of the body.
    private static bool IsReadable(HttpRequest request) =>
        request.Headers.TransferEncoding is var codings
        && (
            codings.Count == 0
            || (codings is [{ } only] && only.AsSpan().Trim().Equals("chunked", StringComparison.OrdinalIgnoreCase))
        );

    private static Task RefuseEncodingAsync(HttpContext context) =>
        context.RefuseAsync(
            StatusCodes.Status501NotImplemented,
            "chunked is the only Transfer-Encoding that is read here."
        );

    // A handler may see it before the request says so.
    private static bool IsBrokenOff(Exception e) =>
        e is ConnectionAbortedException or ConnectionResetException
        || (e is OperationCanceledException { InnerException: { } inner } && IsBrokenOff(inner));

    private async Task ExplainAsync(HttpContext context, RequestDelegate next)
    {
        context.Response.Headers.XContentTypeOptions = "nosniff";
        try
        {
            await next(context).ConfigureAwait(false);
        }
        catch (Exception e) when (context.RequestAborted.IsCancellationRequested || IsBrokenOff(e))
        {
            // Nobody is there to be answered.
        }
        catch (ServiceUnavailableException e) when (!context.Response.HasStarted)
        {
            ClearForRefusal(context);
            await context.RefuseAsync(StatusCodes.Status503ServiceUnavailable, e.Message).ConfigureAwait(false);
        }
        catch (BadHttpRequestException e) when (!context.Response.HasStarted)
        {
            ClearForRefusal(context);
            await context.RefuseAsync(e.StatusCode, e.Message).ConfigureAwait(false);
        }
        catch (Exception e)
        {
            HttpLog.RequestFailed(logger, e, Name, context.Request.Method, context.Request.Path);
            if (context.Response.HasStarted)
            {
                // Half an answer must not look like a whole one.
                context.Abort();
            }
            else
            {
                ClearForRefusal(context);
                await context
                    .RefuseAsync(
                        StatusCodes.Status500InternalServerError,
                        $"{e.GetType().Name}: the host's log has the details."
                    )
                    .ConfigureAwait(false);
            }
        }
    }
}

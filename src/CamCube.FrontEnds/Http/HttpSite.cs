using System.Runtime.CompilerServices;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Extensions;
using Microsoft.Extensions.Hosting;

namespace CamCube.FrontEnds.Http;

/// <summary>The Kestrel that the front ends of one kind share in a process: made by the first server that starts one,
/// ended by the last. It listens nowhere itself; the servers' ports bring it connections. Any thread.</summary>
internal sealed class HttpSite
{
    /// <summary>What handlers may take whose clients have been cut off.</summary>
    private static readonly TimeSpan EndTime = TimeSpan.FromSeconds(2);

    private static readonly ConditionalWeakTable<HttpFrontEndOptions, Slot> Slots = [];
    private readonly WebApplication _app;
    private readonly Slot _slot;
    private int _users = 1;

    private HttpSite(HttpFrontEndOptions options, Slot slot)
    {
        _slot = slot;
        Bodies = new BodyBudget(options.BodyMemory);
        _app = Build(options, Connections);
    }

    /// <summary>Where ports put their connections.</summary>
    public ConnectionFeed Connections { get; } = new();

    /// <summary>The bytes of bodies.</summary>
    public BodyBudget Bodies { get; }

    /// <summary>What pipelines are made with.</summary>
    public IServiceProvider Services => _app.Services;

    /// <summary>The site of these settings, which runs until as many have left as have entered.</summary>
    /// <exception cref="FrontEndException">It cannot start: its certificate.</exception>
    public static async Task<HttpSite> EnterAsync(HttpFrontEndOptions options, CancellationToken cancel)
    {
        Slot slot = Slots.GetOrCreateValue(options);
        await slot.OneAtATime.WaitAsync(cancel).ConfigureAwait(false);
        try
        {
            if (slot.Site is { } running)
            {
                running._users++;
                return running;
            }

            HttpSite site = new(options, slot);
            await site._app.StartAsync(cancel).ConfigureAwait(false);
            slot.Site = site;
            return site;
        }
        finally
        {
            slot.OneAtATime.Release();
        }
    }

    /// <summary>The counterpart of <see cref="EnterAsync"/>.</summary>
    public async Task LeaveAsync()
    {
        await _slot.OneAtATime.WaitAsync().ConfigureAwait(false);
        try
        {
            if (--_users > 0)
            {
                return;
            }

            _slot.Site = null;
            await _app.StopAsync().ConfigureAwait(false);
            await _app.DisposeAsync().ConfigureAwait(false);
        }
        finally
        {
            _slot.OneAtATime.Release();
        }
    }

    private static WebApplication Build(HttpFrontEndOptions options, ConnectionFeed feed)
    {
        X509Certificate2? certificate = options.Tls ? Certificate(options) : null;
        WebApplicationBuilder builder = WebApplication.CreateEmptyBuilder(new WebApplicationOptions());
        builder.WebHost.UseKestrelCore();
        if (certificate is not null)
        {
            builder.WebHost.UseKestrelHttpsConfiguration();
        }

        builder.Services.RemoveAll<IConnectionListenerFactory>();
        builder.Services.AddSingleton<IConnectionListenerFactory>(feed);
        builder.Services.AddRoutingCore();
        builder.Services.Configure<HostOptions>(host => host.ShutdownTimeout = EndTime);
        builder.WebHost.ConfigureKestrel(kestrel =>
        {
            kestrel.AddServerHeader = false;
            KestrelServerLimits limits = kestrel.Limits;
            limits.MaxRequestBodySize = options.MaxBody;
            limits.MaxRequestBufferSize = Math.Max(ServerPort.ReadAhead, options.LongestRequestLine);
            limits.MaxRequestLineSize = options.LongestRequestLine;
            limits.KeepAliveTimeout = options.IdleTimeout;
            limits.RequestHeadersTimeout = options.HeaderTimeout;
            MinDataRate? slowest =
                options.SlowestBody == 0 ? null : new MinDataRate(options.SlowestBody, options.SlowGrace);
            limits.MinRequestBodyDataRate = slowest;
            limits.MinResponseDataRate = slowest;
            kestrel.Listen(
                ConnectionFeed.Place,
                listen =>
                {
                    if (certificate is not null)
                    {
                        listen.UseHttps(certificate);
                    }
                }
            );
        });
        WebApplication app = builder.Build();
        app.Run(context => context.Features.Get<ServedBy>()!.FrontEnd.Handle(context));
        return app;
    }

    private static X509Certificate2 Certificate(HttpFrontEndOptions options)
    {
        string key = options.TlsKey.Length > 0 ? options.TlsKey : options.TlsCertificate;
        try
        {
            using X509Certificate2 read = X509Certificate2.CreateFromPemFile(options.TlsCertificate, key);

            // Not every system takes a key that is only in memory.
            return X509CertificateLoader.LoadPkcs12(read.Export(X509ContentType.Pkcs12), null);
        }
        catch (Exception e)
            when (e is CryptographicException or IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new FrontEndException(
                $"settings TlsCertificate = '{options.TlsCertificate}', TlsKey = '{options.TlsKey}': {e.Message}"
            );
        }
    }

    /// <summary>The place of a site, which is empty before the first and after the last.</summary>
    private sealed class Slot
    {
        public SemaphoreSlim OneAtATime { get; } = new(1, 1);

        public HttpSite? Site { get; set; }
    }
}

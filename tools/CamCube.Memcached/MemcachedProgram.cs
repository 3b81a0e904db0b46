using System.Net;
using CamCube.FrontEnds.Settings;
using CamCube.Services.Cache.Memcached;
using CamCube.Services.Cache.Memcached.Settings;

namespace CamCube.Memcached;

/// <summary>
/// A cube of one server in this process, in the foreground, started and stopped as memcached is, so that programs and
/// test suites that start a memcached can start this.
/// </summary>
internal static class MemcachedProgram
{
    /// <summary>EX_USAGE: the command line is wrong.</summary>
    public const int Usage = 64;

    /// <summary>EX_OSERR: the system refuses, for instance because the port is taken.</summary>
    public const int Refused = 71;

    /// <summary>Runs until SIGINT, SIGTERM, SIGUSR1, the command shutdown, or cancellation. Answers the exit
    /// code.</summary>
    public static async Task<int> RunAsync(
        IReadOnlyList<string> arguments,
        TextWriter output,
        TextWriter errors,
        CancellationToken cancel
    )
    {
        try
        {
            MemcachedSettings settings = MemcachedArguments.Parse(arguments);
            switch (settings.Print)
            {
                case MemcachedPrint.Help:
                    output.Write(MemcachedHelp.Text);
                    return 0;
                case MemcachedPrint.Version:
                    output.WriteLine(MemcachedHelp.Version);
                    return 0;
                case MemcachedPrint.License:
                    output.WriteLine(MemcachedHelp.License);
                    return 0;
            }

            Check(settings);
            if (settings.Verbosity > 0)
            {
                foreach (string flag in settings.WithoutEffect)
                {
                    errors.WriteLine($"{flag} has no effect here.");
                }
            }

            MemcachedUser? user = MemcachedUser.Find(settings.User);
            return settings.Daemon && !MemcachedDaemon.IsChild
                ? await MemcachedDaemon.StartAsync(arguments, errors)
                : await ServeAsync(settings, user, errors, cancel);
        }
        catch (MemcachedException e)
        {
            errors.WriteLine(e.Message);
            return e.Code;
        }
        catch (FrontEndException e)
        {
            errors.WriteLine($"failed to listen: {e.Message}");
            return Refused;
        }
    }

    private static void Check(MemcachedSettings settings)
    {
        if (settings.MaxItem > settings.Megabytes * (1L << 20) / 2)
        {
            throw new MemcachedException("Cannot set item size limit higher than 1/2 of memory max.");
        }

        if (!settings.Tls && settings.Addresses.Exists(IsPlain))
        {
            throw new MemcachedException("'notls' option is valid only when SSL is enabled");
        }

        if (!settings.Tls && settings.TlsCertificate is not null)
        {
            settings.WithoutEffect.Add("-o ssl_chain_cert without -Z");
        }

        if (settings.Tls && settings.Port == 0)
        {
            throw new MemcachedException("ERROR: You cannot enable SSL without a TCP port.");
        }

        if (settings.Tls && settings.TlsCertificate is null)
        {
            throw new MemcachedException("-Z needs -o ssl_chain_cert=<file>, the server's certificate in PEM format.");
        }

        if (settings.TlsClients != TlsClientCheck.None && settings.TlsAuthorities is null)
        {
            throw new MemcachedException(
                "-o ssl_verify_mode needs -o ssl_ca_cert=<file>, the certificates of those who may issue clients'."
            );
        }

        if (settings.AuthFile is not null && settings.Protocol == MemcachedProtocol.Binary)
        {
            throw new MemcachedException("ASCII authentication (-Y) cannot be used with -B binary.");
        }
    }

    private static async Task<int> ServeAsync(
        MemcachedSettings settings,
        MemcachedUser? user,
        TextWriter errors,
        CancellationToken cancel
    )
    {
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(cancel);
        var log = new MemcachedErrors(errors, settings.Verbosity);
        MemcachedDescriptors.Raise(settings.MaxConnections);
        int loops = Math.Min(settings.Threads, Math.Max(1, Environment.ProcessorCount));
        await using var cubes = new MemcachedCubes(settings, loops, log);
        await cubes.StartAsync(stop.Token);
        await using var frontEnd = new MemcachedFrontEnd(
            cubes.Gates[0],
            FrontEndOptionsOf(settings),
            log,
            TimeProvider.System
        )
        {
            Parts = cubes.Gates,
            Process = new MemcachedProcess(settings.AllowShutdown, log, stop),
        };
        using MemcachedSignals signals = new(stop, errors, () => Reload(frontEnd, errors));

        // A Unix socket is the user's whom this becomes, as memcached's is. A port below 1,024 needs root.
        if (settings.UnixSocket is not null)
        {
            user?.Become();
        }

        await frontEnd.StartAsync(EndpointOf(settings), stop.Token);
        if (settings.UnixSocket is null)
        {
            user?.Become();
        }

        MemcachedPortFile.Write(
            frontEnd.Port,
            settings.Addresses.Count == 0 ? IPAddress.Any : EndpointOf(settings).Address,
            errors
        );
        if (MemcachedDaemon.IsChild)
        {
            MemcachedDaemon.Detach(settings.PidFile);
        }

        // Asked to stop, clients are answered what they have asked, for a moment. A loop, or a front end in it, that an
        // error has ended answers nobody.
        await Task.WhenAny(Task.Delay(Timeout.Infinite, stop.Token), cubes.Ended, log.Failed);
        if (cubes.Ended.Exception?.InnerException is { } error)
        {
            errors.WriteLine($"A loop has ended: {error}");
            return 1;
        }

        if (log.Failed.IsCompleted)
        {
            errors.WriteLine($"The front end has ended: {await log.Failed}");
            return 1;
        }

        using var patience = new CancellationTokenSource(TimeSpan.FromSeconds(2));
        await frontEnd.DrainAsync(patience.Token);
        if (MemcachedDaemon.IsChild)
        {
            MemcachedDaemon.DeletePidFile(settings.PidFile);
        }

        return 0;
    }

    private static void Reload(MemcachedFrontEnd frontEnd, TextWriter errors)
    {
        try
        {
            frontEnd.Reload();
        }
        catch (FrontEndException e)
        {
            errors.WriteLine($"{e.Message}; it stays as it was.");
        }
    }

    private static bool IsPlain(string address) =>
        address.StartsWith(MemcachedSettings.WithoutTls, StringComparison.Ordinal);

    // The one that the front end takes for its own is of those with TLS where there is TLS.
    private static int MainOf(MemcachedSettings settings) => settings.Addresses.FindIndex(address => !IsPlain(address));

    private static FrontEndEndpoint EndpointOf(MemcachedSettings settings)
    {
        int port = Math.Max(settings.Port, 0);
        int main = MainOf(settings);
        if (main < 0)
        {
            return new FrontEndEndpoint(IPAddress.Any, port);
        }

        string first = settings.Addresses[main];
        if (IPAddress.TryParse(first, out IPAddress? address))
        {
            return new FrontEndEndpoint(address, port);
        }

        if (IPEndPoint.TryParse(first, out IPEndPoint? end))
        {
            return new FrontEndEndpoint(end.Address, end.Port);
        }

        return first == "localhost"
            ? new FrontEndEndpoint(IPAddress.Loopback, port)
            : throw new MemcachedException(
                $"-l '{first}' is no address; allowed are 127.0.0.1, 127.0.0.1:11211, [::1]:11211"
            );
    }

    private static MemcachedFrontEndOptions FrontEndOptionsOf(MemcachedSettings settings) =>
        new()
        {
            MaxConnections = settings.MaxConnections,
            Backlog = settings.Backlog,
            RejectOverLimit = settings.RejectOverLimit,
            Tcp = settings.Port != 0 && (settings.Addresses.Count == 0 || MainOf(settings) >= 0),
            UnixSocket = settings.UnixSocket ?? "",
            UnixSocketMode = settings.UnixMode,
            MoreAddresses = string.Join(
                ',',
                settings
                    .Addresses.Where((_, i) => i != MainOf(settings))
                    .Select(one => one == "localhost" ? "127.0.0.1" : one)
            ),
            Tls = settings.Tls,
            TlsCertificate = settings.TlsCertificate ?? "",
            TlsKey = settings.TlsKey ?? "",
            TlsClients = settings.TlsClients,
            TlsClientAuthorities = settings.TlsAuthorities ?? "",
            TlsCiphers = settings.TlsCiphers ?? "",
            TlsMinVersion = settings.TlsMinVersion,
            TlsResume = settings.TlsResume,
            TlsWriteBuffer = settings.TlsWriteBuffer,
            IdleTimeout = settings.IdleTimeout,
            Protocol = settings.Protocol,
            AuthFile = settings.AuthFile ?? "",
            AllowFlushAll = !settings.NoFlush,
            AllowDump = !settings.NoDump,
            PrefixDelimiter = settings.PrefixDelimiter ?? ":",
            CountPrefixes = settings.PrefixDelimiter is not null,
            CommandsPerTurn =
                settings.CommandsPerTurn > 0
                    ? settings.CommandsPerTurn
                    : new MemcachedFrontEndOptions().CommandsPerTurn,
        };
}

using System.Reflection;
using System.Text.RegularExpressions;

namespace CamCube.Runtime.Services;

/// <summary>A service as the runtime needs it: what its attribute says, its settings, and how to make an instance.
/// Immutable; any thread.</summary>
public sealed partial class ServiceDefinition
{
    /// <summary>Most services of one server: one bit each in a machine word, link state included.</summary>
    public const int MostServices = 64;

    /// <summary>Largest weight of a queue or a source.</summary>
    internal const int MostWeight = 1_000;

    private const int MostAwaitKeysBytes = 64 << 20;
    private static readonly TimeSpan MostReturnTime = TimeSpan.FromHours(1);

    /// <summary>Wire id.</summary>
    public required ServiceId Id { get; init; }

    /// <summary>Configured name.</summary>
    public required string Name { get; init; }

    /// <summary>Makes the instance of one server, on its loop.</summary>
    public required Func<ServiceActivation, ICamCubeService> Create { get; init; }

    /// <summary>Bytes of the service header that each packet must have.</summary>
    public int HeaderLength { get; init; }

    /// <summary>The type of the header, if the service has said it.</summary>
    public Type? Header { get; init; }

    /// <summary>Its class; null: nobody said.</summary>
    internal Type? Implementation { get; private init; }

    /// <summary>Version of the assembly it came from, for people; null: nobody said.</summary>
    public string? Version { get; init; }

    /// <summary>The first 12 hexadecimal digits of the SHA-256 of that assembly; null: nobody said.</summary>
    public string? Hash { get; init; }

    /// <summary>What to do when a callback throws.</summary>
    public FaultPolicy OnFault { get; init; }

    /// <summary>Longest time that it may delay the hand-over of keys; null:
    /// <see cref="Core.LivenessOptions.ReturnTimeout"/>.</summary>
    public TimeSpan? ReturnTimeout { get; init; }

    /// <summary>Bytes of its packets that may wait for a server's keys.</summary>
    public int AwaitKeysBytes { get; init; } = new CamCubeServiceAttribute(0, "").AwaitKeysBytes;

    /// <summary>Settings of the default queue.</summary>
    public QueueOptions Queue { get; init; } = new();

    /// <summary>A definition from the attribute of a service type.</summary>
    /// <exception cref="ArgumentException">The attribute is missing or says something that cannot be; one line in
    /// words.</exception>
    public static ServiceDefinition Of(
        Type type,
        Func<ServiceActivation, ICamCubeService> create,
        QueueOptions? queue = null,
        string? version = null,
        string? hash = null
    )
    {
        ArgumentNullException.ThrowIfNull(type);
        CamCubeServiceAttribute attribute =
            type.GetCustomAttribute<CamCubeServiceAttribute>()
            ?? throw new ArgumentException($"{type.FullName} has no [CamCubeService(id, \"name\")].", nameof(type));
        if (!typeof(ICamCubeService).IsAssignableFrom(type))
        {
            throw new ArgumentException($"{type.FullName} does not implement ICamCubeService.", nameof(type));
        }

        if (attribute.Id <= ServiceId.LastReserved)
        {
            throw new ArgumentException(
                $"{type.FullName}: id {new ServiceId(attribute.Id)} belongs to the runtime; use 0x0100 to 0xffff.",
                nameof(type)
            );
        }

        if (!NamePattern().IsMatch(attribute.Name))
        {
            throw new ArgumentException(
                $"{type.FullName}: the name '{attribute.Name}' must be lower-case letters, digits and hyphens.",
                nameof(type)
            );
        }

        return new ServiceDefinition
        {
            Id = new ServiceId(attribute.Id),
            Name = attribute.Name,
            HeaderLength = HeaderLengthOf(type, attribute.Header),
            Header = attribute.Header,
            Implementation = type,
            OnFault = attribute.OnFault,
            ReturnTimeout =
                attribute.ReturnTimeoutMilliseconds == 0
                    ? null
                    : TimeSpan.FromMilliseconds(attribute.ReturnTimeoutMilliseconds),
            AwaitKeysBytes = attribute.AwaitKeysBytes,
            Queue = queue ?? new QueueOptions(),
            Version = version,
            Hash = hash,
            Create = create,
        };
    }

    /// <summary>A definition for a service made by hand: tests, tools, samples.</summary>
    public static ServiceDefinition Of<T>(Func<ServiceActivation, T> create, QueueOptions? queue = null)
        where T : class, ICamCubeService => Of(typeof(T), create, queue);

    /// <summary>Whether these services can be on one server.</summary>
    /// <exception cref="ArgumentException">They cannot; one line in words.</exception>
    internal static void CheckList(IReadOnlyList<ServiceDefinition> services)
    {
        if (services.Count >= MostServices)
        {
            throw new ArgumentException(
                $"A server has at most {MostServices} services, the link-state service included; "
                    + $"these are {services.Count + 1}."
            );
        }

        var names = new Dictionary<ServiceId, string>();
        foreach (ServiceDefinition service in services)
        {
            service.Check();
            if (!names.TryAdd(service.Id, service.Name))
            {
                throw new ArgumentException(
                    $"Service id {service.Id} belongs to '{names[service.Id]}' and to '{service.Name}'."
                );
            }
        }
    }

    /// <summary>Whether the id and the settings of the queue are in their ranges.</summary>
    /// <exception cref="ArgumentException">They are not; one line in words.</exception>
    internal void Check()
    {
        if (Id.Value <= ServiceId.LastReserved)
        {
            throw new ArgumentException($"Service '{Name}': id {Id} belongs to the runtime; use 0x0100 to 0xffff.");
        }

        if (ReturnTimeout is { } time && (time < TimeSpan.Zero || time > MostReturnTime))
        {
            throw new ArgumentException($"Service '{Name}': ReturnTimeout is {time}; it must be from 0 to 1 h.");
        }

        if (AwaitKeysBytes is < 0 or > MostAwaitKeysBytes)
        {
            throw new ArgumentException(
                $"Service '{Name}': AwaitKeysBytes is {AwaitKeysBytes}; it must be from 0 to {MostAwaitKeysBytes}."
            );
        }

        Check(nameof(Queue.LimitPackets), Queue.LimitPackets, 1, 1 << 20);
        Check(nameof(Queue.Weight), Queue.Weight, 1, MostWeight);
        Check(nameof(Queue.Priority), Queue.Priority, 1, 7);
    }

    private void Check(string setting, int value, int least, int most)
    {
        if (value < least || value > most)
        {
            throw new ArgumentException(
                $"Service '{Name}': Queue:{setting} is {value}; it must be from {least} to {most}."
            );
        }
    }

    [GeneratedRegex("^[a-z][a-z0-9-]*$")]
    private static partial Regex NamePattern();

    private static int HeaderLengthOf(Type service, Type? header)
    {
        if (header is null)
        {
            return 0;
        }

        int length;
        try
        {
            length = (int)
                typeof(ServiceDefinition)
                    .GetMethod(nameof(SizeOf), BindingFlags.NonPublic | BindingFlags.Static)!
                    .MakeGenericMethod(header)
                    .Invoke(null, null)!;
        }
        catch (ArgumentException)
        {
            throw new ArgumentException(
                $"{service.FullName}: the header {header.Name} must be a struct without references.",
                nameof(header)
            );
        }

        return length <= Packet.MaxHeaderLength
            ? length
            : throw new ArgumentException(
                $"{service.FullName}: the header {header.Name} has {length} bytes; {Packet.MaxHeaderLength} fit.",
                nameof(header)
            );
    }

    private static int SizeOf<T>()
        where T : unmanaged => System.Runtime.CompilerServices.Unsafe.SizeOf<T>();
}

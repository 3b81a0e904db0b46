using System.Reflection;
using System.Reflection.Metadata;
using System.Text.RegularExpressions;

namespace CamCube.Tool.Checks;

/// <summary>What an assembly's declarations break: CC0005 and CC0006 of services, CC0007 of methods, CC0009 of
/// fields.</summary>
internal sealed partial class DeclarationScan(MetadataReader reader, UsedNames names, StateMachines machines)
{
    private const int MostHeaderBytes = 64;
    private const int LastReserved = 0xFF;
    private const int LastBundled = 0x1FF;
    private readonly List<(ushort Id, string Name)> _services = [];

    /// <summary>Whether there is a service in it: what is said of the loop's code is said of such assemblies.</summary>
    public bool HasService { get; } = reader.TypeDefinitions.Any(type => ServiceOf(reader, names, type) is not null);

    /// <summary>Methods that a loop calls: those of services, agents and packet sources.</summary>
    public IEnumerable<MethodDefinitionHandle> OnLoop =>
        reader.TypeDefinitions.Where(IsOnLoop).SelectMany(type => reader.GetTypeDefinition(type).GetMethods());

    /// <summary>What is wrong: whose member, by which rule, what it is, and what to do instead. With the method whose
    /// lines say where, if there is one.</summary>
    public IEnumerable<(
        string Member,
        string Rule,
        string What,
        string Advice,
        MethodDefinitionHandle Place
    )> Breaches()
    {
        foreach (TypeDefinitionHandle handle in reader.TypeDefinitions)
        {
            TypeDefinition type = reader.GetTypeDefinition(handle);
            string name = DocumentationNames.Of(reader, handle);
            foreach ((string rule, string what, string advice) in OfService(handle))
            {
                yield return (name, rule, what, advice, default);
            }

            foreach (MethodDefinition method in type.GetMethods().Select(reader.GetMethodDefinition))
            {
                MethodDefinitionHandle place = machines.Of(method, out bool isAsync);
                if (isAsync && method.DecodeSignature(DocumentationNames.Instance, null).ReturnType == "System.Void")
                {
                    yield return (
                        UserNames.Of(reader, method),
                        "CC0007",
                        "async void",
                        "return a ValueTask, started with IServer.Loop.Run: nobody learns when it ends or what it "
                            + "throws",
                        place
                    );
                }
            }

            // What the compiler keeps for itself, as delegates of lambdas, is in types with such names.
            if (!HasService || reader.GetString(type.Name).StartsWith('<'))
            {
                continue;
            }

            foreach (string field in type.GetFields().Select(StateOf).OfType<string>())
            {
                yield return (
                    $"{name}.{field}",
                    "CC0009",
                    "static state",
                    "make it a field of the service: all servers of a process share it, as in every simulated cube",
                    default
                );
            }
        }
    }

    // Of a service the attribute says so, whatever it derives from.
    private bool IsOnLoop(TypeDefinitionHandle type) =>
        ServiceOf(reader, names, type) is not null
        || reader
            .GetTypeDefinition(type)
            .GetInterfaceImplementations()
            .Any(one =>
                names.Of(reader.GetInterfaceImplementation(one).Interface)?.Type
                    is "CamCube.ILoopAgent`1"
                        or "CamCube.IServerAgent"
                        or "CamCube.IPacketSource"
            );

    private IEnumerable<(string Rule, string What, string Advice)> OfService(TypeDefinitionHandle handle)
    {
        if (ServiceOf(reader, names, handle) is not { } service)
        {
            yield break;
        }

        bool isOurs = reader
            .GetString(reader.GetAssemblyDefinition().Name)
            .StartsWith("CamCube.", StringComparison.Ordinal);
        string? reason =
            service.Id <= LastReserved ? "belongs to the runtime"
            : service.Id <= LastBundled && !isOurs ? "is for services that come with CamCube"
            : _services.Exists(other => other.Id == service.Id) ? "is another service's here, too"
            : null;
        if (reason is not null)
        {
            yield return ("CC0006", $"id 0x{service.Id:x4}", $"it {reason}; use one of 0x0200 to 0xffff");
        }

        if (!NameForm().IsMatch(service.Name) || _services.Exists(other => other.Name == service.Name))
        {
            yield return (
                "CC0006",
                $"name '{service.Name}'",
                "use one of its own of lower-case letters, digits and hyphens, which begins with a letter"
            );
        }

        _services.Add((service.Id, service.Name));
        if (service.Header is { } header && HeaderReasonOf(header) is { } wrong)
        {
            yield return ("CC0005", $"header {header}", wrong);
        }
    }

    private string? HeaderReasonOf(string header)
    {
        // Of another assembly's types nothing is known here.
        TypeDefinitionHandle found = reader.TypeDefinitions.FirstOrDefault(type =>
            DocumentationNames.Of(reader, type) == header
        );
        if (found.IsNil)
        {
            return null;
        }

        var layout = new HeaderLayout(reader);
        return !layout.IsStruct(found) ? "use a struct of numbers: packets carry bytes"
            : layout.HasReferences(found) ? "leave references out of it: packets carry bytes"
            : layout.BytesOf(found) is { } bytes && bytes > MostHeaderBytes
                ? $"make it smaller: it has {bytes} bytes, and {MostHeaderBytes} fit"
            : null;
    }

    private static (ushort Id, string Name, string? Header)? ServiceOf(
        MetadataReader reader,
        UsedNames names,
        TypeDefinitionHandle handle
    )
    {
        foreach (CustomAttributeHandle attribute in reader.GetTypeDefinition(handle).GetCustomAttributes())
        {
            CustomAttribute said = reader.GetCustomAttribute(attribute);
            if (names.Of(said.Constructor) is not { Type: "CamCube.CamCubeServiceAttribute" })
            {
                continue;
            }

            CustomAttributeValue<string> value = said.DecodeValue(AttributeNames.Instance);
            if (AttributeNames.ArgumentsOf(value) is [{ Value: ushort id }, { Value: string name }])
            {
                string? header =
                    value.NamedArguments.FirstOrDefault(static argument => argument.Name == "Header").Value as string;
                return (id, name, header?.Split(',')[0].Replace('+', '.'));
            }
        }

        return null;
    }

    // Its name as its author wrote it, if it is static and changes.
    private string? StateOf(FieldDefinitionHandle handle)
    {
        FieldDefinition field = reader.GetFieldDefinition(handle);
        const FieldAttributes Constant = FieldAttributes.InitOnly | FieldAttributes.Literal;
        if ((field.Attributes & FieldAttributes.Static) == 0 || (field.Attributes & Constant) != 0)
        {
            return null;
        }

        string name = reader.GetString(field.Name);
        int end = name.IndexOf(">k__BackingField", StringComparison.Ordinal);
        return !name.StartsWith('<') ? name
            : end > 1 ? name[1..end]
            : null;
    }

    [GeneratedRegex("^[a-z][a-z0-9-]*$", RegexOptions.CultureInvariant)]
    private static partial Regex NameForm();
}

using System.Collections.Immutable;
using System.Reflection.Metadata;
using System.Reflection.Metadata.Ecma335;

namespace CamCube.Tool.Checks;

/// <summary>
/// The variables of a method, by numbers: its locals, its parameters, and, of an async method, what the compiler keeps
/// in fields of its state machine.
/// </summary>
internal sealed class MethodVariables
{
    private const string Packet = "CamCube.Packet";
    private const int FirstParameter = 0x10000;
    private const int FieldTokens = 0x04000000;
    private readonly MetadataReader _reader;
    private readonly ImmutableArray<string> _locals = [];
    private readonly ImmutableArray<string> _parameters;
    private readonly HashSet<int> _kept = [];
    private readonly bool _hasThis;

    public MethodVariables(MetadataReader reader, MethodDefinition method, MethodBodyBlock body)
    {
        _reader = reader;
        MethodSignature<string> signature = method.DecodeSignature(DocumentationNames.Instance, null);
        _parameters = signature.ParameterTypes;
        _hasThis = signature.Header.IsInstance;
        HasResult = signature.ReturnType != "System.Void";
        if (!body.LocalSignature.IsNil)
        {
            _locals = reader
                .GetStandaloneSignature(body.LocalSignature)
                .DecodeLocalSignature(DocumentationNames.Instance, null);
        }

        TypeDefinition type = reader.GetTypeDefinition(method.GetDeclaringType());
        if (reader.StringComparer.Equals(method.Name, "MoveNext") && IsOfAsync(type))
        {
            _kept = [.. type.GetFields().Select(static field => MetadataTokens.GetToken(field))];
        }
    }

    /// <summary>Whether the method answers something.</summary>
    public bool HasResult { get; }

    /// <summary>Whether it is an async method's, as the compiler has made it.</summary>
    public bool IsAsync => _kept.Count > 0;

    /// <summary>Number of a parameter; the object is the first.</summary>
    public static int OfParameter(int argument) => FirstParameter + argument;

    /// <summary>Whether a parameter is the state machine that keeps variables.</summary>
    public bool IsMachine(int variable) => IsAsync && variable == FirstParameter;

    /// <summary>Whether a field is one of the state machine's, and so a variable.</summary>
    public bool IsKept(int fieldToken) => _kept.Contains(fieldToken);

    /// <summary>Whether a field tells how far an async method has come.</summary>
    public bool IsProgress(int fieldToken) => IsKept(fieldToken) && NameOf(fieldToken) == "<>1__state";

    /// <summary>Whether it is for packets.</summary>
    public bool IsOfPackets(int variable) => TypeOf(variable) == Packet;

    /// <summary>Whether it is for truth values or numbers.</summary>
    public bool IsOfNumbers(int variable) => TypeOf(variable) is "System.Boolean" or "System.Int32";

    /// <summary>What is in it before anything was put there.</summary>
    public FlowValue FirstOf(int variable)
    {
        bool isGiven = variable >= FieldTokens ? !NameOf(variable).StartsWith('<') : variable >= FirstParameter;
        return IsMachine(variable) ? new FlowValue(FlowKind.This)
            : isGiven && IsOfPackets(variable) ? new FlowValue(FlowKind.Packet, -1 - variable)
            : default;
    }

    private string TypeOf(int variable)
    {
        if (variable >= FieldTokens)
        {
            return FieldOf(variable).DecodeSignature(DocumentationNames.Instance, null);
        }

        (ImmutableArray<string> types, int index) =
            variable < FirstParameter
                ? (_locals, variable)
                : (_parameters, variable - FirstParameter - (_hasThis ? 1 : 0));
        return index >= 0 && index < types.Length ? types[index] : "";
    }

    private string NameOf(int fieldToken) => _reader.GetString(FieldOf(fieldToken).Name);

    private FieldDefinition FieldOf(int token) =>
        _reader.GetFieldDefinition((FieldDefinitionHandle)MetadataTokens.EntityHandle(token));

    // Who enumerates an async iterator comes in again from outside; of its fields nothing is known then.
    private bool IsOfAsync(TypeDefinition type)
    {
        string[] implemented =
        [
            .. type.GetInterfaceImplementations()
                .Select(one => _reader.GetInterfaceImplementation(one).Interface)
                .Select(one =>
                    one.Kind == HandleKind.TypeReference
                        ? DocumentationNames.Of(_reader, (TypeReferenceHandle)one)
                        : "others"
                ),
        ];
        return implemented is ["System.Runtime.CompilerServices.IAsyncStateMachine"];
    }
}

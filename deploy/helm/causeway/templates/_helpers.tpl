{{/* What belongs to one component: (dict "root" $ "component" "gateway") */}}
{{- define "causeway.selector" -}}
app.kubernetes.io/name: causeway
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "causeway.labels" -}}
{{ include "causeway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "causeway.image" -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- end }}

{{/* The settings that every process shares, and those that this chart decides. */}}
{{- define "causeway.settings" -}}
{{- $own := dict
  "CAUSEWAY_ENV" "production"
  "GATEWAY_HOST" "0.0.0.0" "GATEWAY_PORT" "8080"
  "GRAPH_HOST" "0.0.0.0" "GRAPH_PORT" "4000"
  "METRICS_HOST" "0.0.0.0"
  "GATEWAY_METRICS_PORT" "4001" "WORKER_METRICS_PORT" "4002" "GRAPH_METRICS_PORT" "4003"
  "MARKER_FOLDER" "/var/lib/causeway/marker"
  "DRAIN_SECONDS" (toString .Values.drainSeconds) }}
{{- range $server, $tls := .Values.tls }}
{{- $prefix := printf "%s_TLS" (upper $server) }}
{{- $_ := set $own $prefix (toString $tls.enabled) }}
{{- if and $tls.enabled $tls.secret }}
{{- $_ := set $own (printf "%s_CA_FILE" $prefix) (printf "/run/tls/%s/ca.crt" $server) }}
{{- if $tls.client }}
{{- $_ := set $own (printf "%s_CERT_FILE" $prefix) (printf "/run/tls/%s/tls.crt" $server) }}
{{- $_ := set $own (printf "%s_KEY_FILE" $prefix) (printf "/run/tls/%s/tls.key" $server) }}
{{- end }}
{{- end }}
{{- if and $tls.enabled $tls.serverName }}
{{- $_ := set $own (printf "%s_SERVER_NAME" $prefix) $tls.serverName }}
{{- end }}
{{- end }}
{{- merge $own .Values.settings | toYaml }}
{{- end }}

{{/* A container of a role: (dict "root" $ "role" "gateway" "env" dict) */}}
{{- define "causeway.container" -}}
image: {{ include "causeway.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .role }}]
envFrom:
  - configMapRef: { name: {{ .root.Release.Name }}-settings }
env:
  {{- range index .root.Values.secrets.keys .role }}
  - { name: {{ . }}_FILE, value: /run/secrets/causeway/{{ . }} }
  {{- end }}
  {{- range $name, $value := merge (dict) (.env | default dict) (index .root.Values.roleSettings .role) }}
  - { name: {{ $name }}, value: {{ $value | quote }} }
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: secrets, mountPath: /run/secrets/causeway, readOnly: true }
  {{- range $server, $tls := .root.Values.tls }}
  {{- if and $tls.enabled $tls.secret }}
  - { name: tls-{{ $server }}, mountPath: /run/tls/{{ $server }}, readOnly: true }
  {{- end }}
  {{- end }}
  {{- if ne .role "migrate" }}
  - { name: marker, mountPath: /var/lib/causeway/marker }
  {{- end }}
{{- end }}

{{/* The pod around it: (dict "root" $ "role" "gateway" "component" "gateway") */}}
{{- define "causeway.pod" -}}
automountServiceAccountToken: false
serviceAccountName: {{ .root.Release.Name }}
enableServiceLinks: false
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- if ne .role "migrate" }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: {{ include "causeway.selector" . | fromYaml | toJson }} }
{{- end }}
volumes:
  - name: secrets
    secret: { secretName: {{ index .root.Values.secrets.names .role }}, defaultMode: 0440 }
  {{- range $server, $tls := .root.Values.tls }}
  {{- if and $tls.enabled $tls.secret }}
  - name: tls-{{ $server }}
    secret: { secretName: {{ $tls.secret }}, defaultMode: 0440 }
  {{- end }}
  {{- end }}
  {{- if ne .role "migrate" }}
  - name: marker
    persistentVolumeClaim: { claimName: {{ .root.Values.marker.existingClaim | default (printf "%s-marker" .root.Release.Name) }} }
  {{- end }}
{{- end }}

{{/* Restarts the pods when a setting changes. */}}
{{- define "causeway.podAnnotations" -}}
checksum/settings: {{ include "causeway.settings" . | sha256sum }}
{{- end }}
